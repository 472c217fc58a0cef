/** How a text is written. */
export type Format = 'html' | 'markdown'

/** What can be done with texts once the libraries for it are loaded. */
export interface Content {
  /** What may be kept of a text: HTML sanitised, markdown as it was written. */
  clean(text: string, format: Format): string
  /** As HTML that is safe to show. */
  html(text: string, format: Format): string
  markdown(text: string, format: Format): string
}
