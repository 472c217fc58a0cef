import type { Converter, Format } from '../../content/index.ts'
import type { Kind, RecordOf } from '../schema.ts'

export const cleanerOf = (content: Converter) => (text: string, format: Format | undefined) =>
  format === 'html' && !/[<&]/.test(text) ? { text, format } : content.clean(text, format)

/**
 * Cleans the texts of a record, like texts that a user types: a file may come from anywhere. Page
 * texts are cleaned later, when their versions are assembled.
 */
export function cleanRecord(content: Converter, kind: Kind, record: unknown): unknown {
  const clean = cleanerOf(content)
  switch (kind) {
    case 'board': {
      const { description, ...own } = record as RecordOf<'board'>
      return { ...own, description: description && clean(description, 'html').text }
    }
    case 'task':
      return cleanField(record as RecordOf<'task'>, 'description', clean)
    case 'template': {
      const { subtasks, ...own } = cleanField(record as RecordOf<'template'>, 'description', clean)
      const cleanSubtasks =
        subtasks?.map((subtask) => cleanField(subtask, 'description', clean)) ?? null
      return { ...own, subtasks: cleanSubtasks }
    }
    case 'version':
      return cleanField(record as RecordOf<'version'>, 'content', clean)
    case 'comment':
      return cleanField(record as RecordOf<'comment'>, 'text', clean)
    default:
      return record
  }
}

/** Detects the format if the record has none. A null text gets a format too: html. */
function cleanField<N extends string, R extends { [K in N]: string | null }>(
  record: R & { content_type?: Format },
  name: N,
  clean: ReturnType<typeof cleanerOf>,
) {
  const { text, format } = cleanText(record[name], record.content_type, clean)
  return { ...record, [name]: text, content_type: format }
}

function cleanText(
  text: string | null,
  format: Format | undefined,
  clean: ReturnType<typeof cleanerOf>,
): { text: string | null; format: Format } {
  return text === null ? { text, format: format ?? 'html' } : clean(text, format)
}
