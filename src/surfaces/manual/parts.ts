/** The parts of a section that lists show. */
export interface Section {
  headings: readonly string[]
  anchor: string
}

export interface Article {
  /** The name in addresses; empty for the contents page. */
  name: string
  title: string
  /** Markdown. */
  text: string
  sections: readonly Section[]
}

export interface SearchResult {
  article: Article
  section: Section
  excerpt: readonly { text: string; isMatch: boolean }[]
}

/** What this surface needs from the manual. */
export interface Manual<A extends Article = Article> {
  articles: readonly A[]
  addressOf(article: string, anchor?: string): string
  html(article: A): Promise<string>
  find(query: string, limit: number): Promise<readonly SearchResult[]>
  picture(name: string): Promise<Uint8Array> | undefined
}
