import { Type as t } from '@sinclair/typebox'
import type { Format } from '../../../../content/content.ts'
import { convertStored, type Reader, warnNotConverted } from '../../../../content/shown.ts'
import { countThatFits } from '../../../../store/paginate.ts'
import { ContentType } from '../../tasks/model/index.ts'

export const AsFormat = t.Optional({
  ...ContentType,
  description: 'Converts the description; default: as written',
})

interface ConvertibleText {
  description?: string | null
  text?: string
  content_type?: Format
}

/**
 * Converts the texts of the records if a format is requested. HTML is cleaned again for that: it
 * may be older than the current rules, or imported. A text that cannot be converted stays as it is
 * stored, with its own content_type and a warning.
 */
export function convertTexts<T extends ConvertibleText>(
  ctx: Reader,
  records: T[],
  format: Format | undefined,
  field: 'description' | 'text' = 'description',
): T[] {
  if (!format) return records
  const convertible = records.filter((record) => needsConversion(record, format, field))
  const fits = countThatFits(convertible.map((record) => record[field]!.length))
  const texts = convertible.map((record) => ({
    text: record[field]!,
    format: record.content_type!,
  }))
  const converted = convertStored(ctx, format, texts.slice(0, fits), { field })
  for (const text of texts.slice(fits))
    warnNotConverted(ctx, field, 'The texts are too long to convert in one request', text)
  const convertedByRecord = new Map(converted.map((text, at) => [convertible[at]!, text]))
  return records.map((record) => {
    const text = convertedByRecord.get(record)
    return text ? { ...record, [field]: text.text, content_type: text.format } : record
  })
}

const needsConversion = <T extends ConvertibleText>(
  record: T,
  format: Format,
  field: 'description' | 'text',
) =>
  !!record[field] &&
  !!record.content_type &&
  !(format === 'markdown' && record.content_type === format)
