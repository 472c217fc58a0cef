/** The languages of the app, with the regions whose dates differ. Others: the command line. */
const TAGS =
  'ar de de-AT de-CH en en-AU en-CA en-GB en-US es es-MX fr fr-CA fr-CH it ja ko pt-BR zh-CN'

/** Each language in its own words, so that its speakers find it. */
const nameOfLanguage = (tag: string) => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

export const languages = (current: string | null | undefined) =>
  [...new Set([...TAGS.split(' '), ...(current && current !== 'auto' ? [current] : [])])]
    .map((tag) => [tag, nameOfLanguage(tag)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
