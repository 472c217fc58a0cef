import type { Converter } from '../../content/index.ts'
import type { Clean } from '../../store/portability/index.ts'
import { linesOf } from '../kinds.ts'

export const cleanerOf =
  (content: Converter): Clean =>
  (text, format) =>
    format === 'html' && !/[<&]/.test(text) ? { text, format } : content.clean(text, format)

/**
 * Cleans the texts of a record, like texts that a user types: a file may come from anywhere. Page
 * texts are cleaned later, when their versions are assembled.
 */
export function cleanRecord(content: Converter, kind: string, record: unknown): unknown {
  const lines = linesOf(kind)!
  return lines.clean ? lines.clean(record as never, cleanerOf(content)) : record
}
