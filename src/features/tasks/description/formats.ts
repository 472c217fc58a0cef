import { Type as t } from '@sinclair/typebox'
import type { Format } from '../../../content/index.ts'
import { type Reader, shownAs, warnOfStored } from '../../../content/shown.ts'
import { fitting } from '../../../store/cut.ts'
import { ContentType } from '../schema.ts'

export const AsFormat = t.Optional({
  ...ContentType,
  description: 'Converts the description; left out, it comes as it was written',
})

interface Shown {
  description?: string | null
  text?: string
  content_type?: Format
}

/**
 * The records with their texts converted, if that was asked for. HTML is cleaned again for that: it
 * may be older than the rules, or have come in a file. A text that cannot be converted stays as it
 * is stored, with its own content_type and a warning.
 */
export function inFormat<T extends Shown>(
  ctx: Reader,
  records: T[],
  format: Format | undefined,
  field: 'description' | 'text' = 'description',
): T[] {
  if (!format) return records
  const wanted = records.filter((one) => needsConversion(one, format, field))
  const fits = fitting(wanted.map((one) => one[field]!.length))
  const texts = wanted.map((one) => ({ text: one[field]!, format: one.content_type! }))
  const converted = shownAs(ctx, format, texts.slice(0, fits), { field })
  for (const one of texts.slice(fits))
    warnOfStored(ctx, field, 'The texts are too long to be converted at once', one)
  const shown = new Map(converted.map((one, at) => [wanted[at]!, one]))
  return records.map((record) => {
    const one = shown.get(record)
    return one ? { ...record, [field]: one.text, content_type: one.format } : record
  })
}

const needsConversion = <T extends Shown>(one: T, format: Format, field: 'description' | 'text') =>
  !!one[field] && !!one.content_type && !(format === 'markdown' && one.content_type === format)
