import { t } from '../../messages/t.ts'

/** Common languages; others can be set with the command line. */
const COMMON_TAGS = t('settings.ar_bg_ca_cs_da_de_de')

const names = new Intl.DisplayNames(['en'], { type: 'language' })

const nameOfLanguage = (tag: string) => names.of(tag) ?? tag

/** The languages by name, including the browser's and the current one. */
export function languages(current: string | undefined) {
  const tags = new Set([...COMMON_TAGS.split(' '), navigator.language, current ?? 'en'])
  return [...tags]
    .map((tag) => [tag, nameOfLanguage(tag)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
}
