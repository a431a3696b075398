// What a page gives its modules. Which elements a selector or an id finds stands in the templates, not in any type.
declare var WORDS: Record<string, string>;

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Document {
  getElementById(id: string): any;
  readonly activeElement: any;
}
interface Element {
  closest(selectors: string): any;
}
