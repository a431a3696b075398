"""What runs behind the pages: who reads photos, which tables and sheets are followed, who is let in. No page."""
