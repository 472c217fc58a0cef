/** Counts up when a rule for texts changes, so that older results are not used again. */
export const RULES = 3

/** How a text is written. */
export type Format = 'html' | 'markdown'

export interface Cleaned {
  /** HTML without what may not be shown, markdown as it was written; `''` if nothing shows. */
  text: string
  format: Format
  /** What was dangerous in the text and is removed, in words for a person. */
  removed: string[]
}

/**
 * What can be done with a text, on the thread that calls. Each of these throws a fault that names
 * `field` for a text that is too long, too deep or made of too many parts.
 */
export interface Converter {
  /** What may be stored of a text. The format is detected where it is `undefined`. */
  clean(text: string, format: Format | undefined, field?: string): Cleaned
  /** As HTML that is safe to show. */
  html(text: string, format: Format, field?: string): string
  markdown(text: string, format: Format, field?: string): string
}

/** The same without blocking the thread that serves requests. */
export interface Content {
  clean(text: string, format: Format | undefined, field?: string): Promise<Cleaned>
  html(text: string, format: Format, field?: string): Promise<string>
  markdown(text: string, format: Format, field?: string): Promise<string>
}
