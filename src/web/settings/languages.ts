/** Those that most people choose; any other can be given by the command line. */
const USUAL =
  'ar bg ca cs da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-MX et fa fi fr fr-CA he hi hr hu id it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh-CN zh-TW'

const names = new Intl.DisplayNames(['en'], { type: 'language' })

const nameOfLanguage = (tag: string) => names.of(tag) ?? tag

/** By name; that of the browser and the present one are among them. */
export function languages(present: string | undefined) {
  const tags = new Set([...USUAL.split(' '), navigator.language, present ?? 'en'])
  return [...tags]
    .map((value) => ({ value, name: nameOfLanguage(value) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
