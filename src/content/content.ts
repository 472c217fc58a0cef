/** How a text is written. */
export type Format = 'html' | 'markdown'

/**
 * What can be done with texts once the libraries for it are loaded. Each of these refuses, with a
 * fault that names `field`, what is too long, too deep or made of too many parts.
 */
export interface Content {
  /**
   * What may be kept of a text: HTML sanitised, markdown as it was written. Nothing, `''`, of a
   * text that shows nothing.
   */
  clean(text: string, format: Format, field?: string): string
  /** As HTML that is safe to show. */
  html(text: string, format: Format, field?: string): string
  markdown(text: string, format: Format, field?: string): string
}
