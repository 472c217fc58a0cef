/** A section of an article, as far as it is shown in lists. */
export interface Section {
  headings: readonly string[]
  anchor: string
}

export interface Article {
  /** In addresses; empty for the contents. */
  name: string
  title: string
  sections: readonly Section[]
}

export interface Found {
  article: Article
  section: Section
  excerpt: readonly { text: string; isSought: boolean }[]
}

/** What this surface needs of the manual. */
export interface Manual<A extends Article = Article> {
  articles: readonly A[]
  addressOf(article: string, anchor?: string): string
  html(article: A): Promise<string>
  find(query: string, limit: number): Promise<readonly Found[]>
  picture(name: string): Promise<Uint8Array> | undefined
}
