/** Version of the text rules. Raise it when a rule changes, so that cached results are not used. */
export const RULES = 3

/** The markup of a text. */
export type Format = 'html' | 'markdown'

export interface Cleaned {
  /** Sanitized HTML, or markdown as it was written; `''` if nothing in it is visible. */
  text: string
  format: Format
  /** The dangerous parts that were removed, named for a person to read. */
  removed: string[]
}

/**
 * Text conversions on the calling thread. Each throws a fault that names `field` if the text is too
 * long, nested too deep or made of too many parts.
 */
export interface Converter {
  /** The text as it may be stored. Detects the format if it is `undefined`. */
  clean(text: string, format: Format | undefined, field?: string): Cleaned
  /** As HTML that is safe to show. */
  html(text: string, format: Format, field?: string): string
  markdown(text: string, format: Format, field?: string): string
}

/** The same conversions in a worker, without blocking the thread that serves requests. */
export interface Content {
  clean(text: string, format: Format | undefined, field?: string): Promise<Cleaned>
  html(text: string, format: Format, field?: string): Promise<string>
  markdown(text: string, format: Format, field?: string): Promise<string>
}
