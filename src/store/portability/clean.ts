export type TextFormat = 'html' | 'markdown'
/** Cleans a text like one that a user enters, and detects its format if none is given. */
export type Clean = (
  text: string,
  format: TextFormat | undefined,
) => { text: string; format: TextFormat }

/** Cleans a text of a record that has a format. A null text gets a format too: html. */
export function cleanField<
  N extends string,
  R extends { [K in N]: string | null } & { content_type?: TextFormat },
>(record: R, name: N, clean: Clean): R {
  const given = record[name]
  const { text, format } =
    given === null
      ? { text: given, format: record.content_type ?? 'html' }
      : clean(given, record.content_type)
  return { ...record, [name]: text, content_type: format }
}
