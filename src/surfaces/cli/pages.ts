import { type TSchema, Type as t } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Spoken } from './derived.ts'

/** Commands that say in a word what an operation with a command of its own does as well. */
export const sayings: Record<string, (op: AnyOperation) => Spoken> = {
  'pages.update': (op) => ({
    op: {
      ...op,
      summary: 'Add to the end of a page; it never conflicts',
      on: { ...op.on, cli: 'pages append <page_id>' },
      input: only(op, ['page_id', 'content', 'content_type', 'canvas', 'note'], ['content']),
    },
    always: { mode: 'append' },
  }),
  'pages.archive': (op) => ({ op: { ...op, on: { ...op.on, cli: 'pages delete <page_id>' } } }),
}

/** The same input with fewer fields. */
const only = ({ input }: AnyOperation, names: string[], required: string[]) => ({
  ...t.Object(
    Object.fromEntries(
      names.flatMap((name): [string, TSchema][] =>
        input.properties[name] ? [[name, input.properties[name]]] : [],
      ),
    ),
  ),
  required,
})
