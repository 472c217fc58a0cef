import { Type as t } from '@sinclair/typebox'
import { contentFor, type Format } from '../../../content/index.ts'
import { fault } from '../../../kernel/fault.ts'
import { ContentType } from '../schema.ts'
import type { Resolver } from './descriptions.ts'

/** How much is converted for one call: it keeps everybody else waiting. */
const MOST_LETTERS = 1_048_576

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
 * may be older than the rules, or have come in a file.
 */
export function inFormat<T extends Shown>(
  ctx: Resolver,
  records: T[],
  format: Format | undefined,
  field: 'description' | 'text' = 'description',
): T[] {
  if (!format) return records
  const isKept = ({ content_type }: T) => format === 'markdown' && content_type === format
  const given = (record: T) => (isKept(record) ? '' : (record[field] ?? ''))
  const letters = records.reduce((sum, record) => sum + given(record).length, 0)
  if (records.length > 1 && letters > MOST_LETTERS)
    throw fault.invalid(
      'format',
      'too_long',
      `Texts of ${letters} characters are too much to convert at once`,
      format,
      'Ask for fewer at once, or leave format out',
    )
  const content = contentFor(ctx)
  const texts = records.map((one) => ({ text: given(one), type: one.content_type }))
  const converted = ctx.resolve(`${format} ${JSON.stringify(texts)}`, () =>
    Promise.all(texts.map(({ text, type }) => text && type && content[format](text, type, field))),
  )
  return records.map((record, at) =>
    converted[at] ? { ...record, [field]: converted[at], content_type: format } : record,
  )
}
