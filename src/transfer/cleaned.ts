import type { Converter, Format } from '../content/index.ts'
import type { Kind, RecordOf } from './schema.ts'

export const cleaner = (content: Converter) => (text: string, format: Format | undefined) =>
  format === 'html' && !/[<&]/.test(text) ? { text, format } : content.clean(text, format)

/**
 * A file may come from anywhere: its texts are cleaned like those that somebody types. Those of pages
 * are when they are put together.
 */
export function cleaned(content: Converter, kind: Kind, record: unknown): unknown {
  const clean = cleaner(content)
  switch (kind) {
    case 'board': {
      const { description, ...own } = record as RecordOf<'board'>
      return { ...own, description: description && clean(description, 'html').text }
    }
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

/** Without a format, that of the text is detected. A task without a text has one all the same. */
function withText<N extends string, R extends { [K in N]: string | null }>(
  record: R & { content_type?: Format },
  name: N,
  clean: ReturnType<typeof cleaner>,
) {
  const { text, format } = given(record[name], record.content_type, clean)
  return { ...record, [name]: text, content_type: format }
}

function given(
  text: string | null,
  format: Format | undefined,
  clean: ReturnType<typeof cleaner>,
): { text: string | null; format: Format } {
  return text === null ? { text, format: format ?? 'html' } : clean(text, format)
}
