// The help page: what a camera of this computer sees.
import { pictureSource } from "./lib/picture_source.js";

pictureSource(document.getElementById("source"));
