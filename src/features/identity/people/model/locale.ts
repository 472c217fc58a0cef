import { fault } from '../../../../kernel/fault.ts'

/** The language of a person who has chosen none: the browser's, or else the team's. */
export const AUTOMATIC = 'auto'

/** Returns a language tag in its canonical form. */
export function parseLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0]!
  } catch {
    throw fault.invalid(
      'locale',
      'invalid_format',
      `locale is not a language tag: ${text}`,
      text,
      'Use a BCP 47 tag such as en, de or pt-BR',
    )
  }
}
