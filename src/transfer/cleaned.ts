import type { Converter, Format } from '../content/index.ts'
import type { Kind, RecordOf } from './schema.ts'

export const cleaner = (content: Converter) => (text: string, format: Format) =>
  format === 'html' && !text.includes('<') ? text : content.clean(text, format).text

/**
 * A file may come from anywhere: its texts are cleaned like those that somebody types. Those of pages
 * are when they are put together.
 */
export function cleaned(content: Converter, kind: Kind, record: unknown): unknown {
  const clean = cleaner(content)
  switch (kind) {
    case 'board':
      return withText(record as RecordOf<'board'>, 'description', (text) => clean(text, 'html'))
    case 'task':
      return withText(record as RecordOf<'task'>, 'description', clean)
    case 'template': {
      const { subtasks, ...own } = withText(record as RecordOf<'template'>, 'description', clean)
      const below = subtasks?.map((one) => withText(one, 'description', clean)) ?? null
      return { ...own, subtasks: below }
    }
    case 'version':
      return withText(record as RecordOf<'version'>, 'content', clean)
    case 'comment':
      return withText(record as RecordOf<'comment'>, 'text', clean)
    default:
      return record
  }
}

function withText<
  N extends string,
  R extends { [K in N]: string | null } & { content_type?: Format },
>(record: R, name: N, clean: (text: string, format: Format) => string): R {
  const text: string | null = record[name]
  return text === null ? record : { ...record, [name]: clean(text, record.content_type ?? 'html') }
}
