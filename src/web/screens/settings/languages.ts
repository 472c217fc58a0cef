/** Common languages; others can be set with the command line. */
const COMMON_TAGS =
  'ar bg ca cs da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-MX et fa fi fr fr-CA he hi hr hu id it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh-CN zh-TW'

const names = new Intl.DisplayNames(['en'], { type: 'language' })

const nameOfLanguage = (tag: string) => names.of(tag) ?? tag

/** The languages by name, including the browser's and the current one. */
export function languages(current: string | undefined) {
  const tags = new Set([...COMMON_TAGS.split(' '), navigator.language, current ?? 'en'])
  return [...tags]
    .map((tag) => [tag, nameOfLanguage(tag)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
}
