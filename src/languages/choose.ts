/** The languages of the catalogs. */
export const LANGUAGES = [
  ...(['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'pt-BR', 'zh-CN'] as const),
]
export type Language = (typeof LANGUAGES)[number]

/** What is known about the languages of a person. */
export interface LanguagePreferences {
  /** The choice of the person, as a BCP 47 tag; `auto` or absent if there is none. */
  locale?: string | undefined
  /** The Accept-Language header of the browser. */
  accept_language?: string | undefined
  /** The default of the team. */
  team_locale?: string | undefined
}

export interface ChosenLanguage {
  /** The language of texts. */
  language: Language
  /** The tag for dates and numbers. */
  locale: string
}

/** The choice of the person counts, then the browser, then the team. English is the last resort. */
export function chooseLanguage(preferences: LanguagePreferences): ChosenLanguage {
  const { locale: chosen = '', accept_language = '', team_locale = '' } = preferences
  const accepted = acceptedTags(accept_language)
  // `auto` is no valid tag.
  const [own] = canonical(chosen)
  if (own) return { language: languageFor(own) ?? 'en', locale: withRegion(own, accepted) }
  for (const locale of [...accepted, ...canonical(team_locale)]) {
    const language = languageFor(locale)
    if (language) return { language, locale }
  }
  return { language: 'en', locale: 'en' }
}

/** The available language for a locale, if there is one. */
function languageFor(tag: string): Language | undefined {
  const locale = new Intl.Locale(tag).maximize()
  // Simplified characters are not for readers of traditional ones.
  if (locale.script === 'Hant') return undefined
  return LANGUAGES.find((one) => new Intl.Locale(one).language === locale.language)
}

/** A chosen `en` means the English of the browser, such as `en-GB`, where dates differ. */
const withRegion = (tag: string, accepted: readonly string[]) =>
  accepted.find((one) => one.startsWith(`${tag}-`)) ?? tag

const MAX_TAGS = 20

/** The tags of an Accept-Language header, the preferred first. Invalid ones are ignored. */
function acceptedTags(header: string): string[] {
  const weighted = header
    .split(',', MAX_TAGS)
    .map((part) => /^\s*([A-Za-z0-9-]{2,35})\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/.exec(part))
    .flatMap((match) => (match ? [{ tag: match[1]!, weight: Number(match[2] ?? 1) }] : []))
  return weighted
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .flatMap(({ tag }) => canonical(tag))
}

function canonical(tag: string): string[] {
  try {
    return tag ? Intl.getCanonicalLocales(tag) : []
  } catch {
    return []
  }
}

export const directionOf = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr')
