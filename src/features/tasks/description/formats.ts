import { Type as t } from '@sinclair/typebox'
import { allConvertedIn, type Format, type Resolver } from '../../../content/index.ts'
import type { Context } from '../../../kernel/caller.ts'
import { Fault } from '../../../kernel/fault.ts'
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
  ctx: Resolver & Pick<Context, 'warn'>,
  records: T[],
  format: Format | undefined,
  field: 'description' | 'text' = 'description',
): T[] {
  if (!format) return records
  const wanted = records.filter((one) => needsConversion(one, format, field))
  const fits = fitting(wanted.map((one) => one[field]!.length))
  const texts = wanted
    .slice(0, fits)
    .map((one) => ({ text: one[field]!, format: one.content_type! }))
  const results = new Map(
    allConvertedIn(ctx, format, texts, field).map((result, at) => [wanted[at]!, result]),
  )
  return records.map((record) => {
    if (!wanted.includes(record)) return record
    const result = results.get(record)
    if (result?.status === 'fulfilled')
      return { ...record, [field]: result.value, content_type: format }
    const why = result ? reasonOf(result) : 'The texts are too long to be converted at once'
    ctx.warn(field, 'not_converted', `${why}; it is given as ${record.content_type}, as stored`)
    return record
  })
}

const needsConversion = <T extends Shown>(one: T, format: Format, field: 'description' | 'text') =>
  !!one[field] && !!one.content_type && !(format === 'markdown' && one.content_type === format)

/** What is wrong with the server, or with how often a credential asks, is no matter of the text. */
function reasonOf({ reason }: PromiseRejectedResult): string {
  if (reason instanceof Fault && reason.code === 'invalid') return reason.message
  throw reason
}
