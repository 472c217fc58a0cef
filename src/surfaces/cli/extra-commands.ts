import { type TSchema, Type as t } from '@sinclair/typebox'
import type { OperationDescription } from '../../kernel/operation.ts'
import type { CliOperation } from './operation-command.ts'

/** Shortcuts: further commands for operations that have one already. */
export const extraCommands: Record<string, (op: OperationDescription) => CliOperation> = {
  'pages.update': (op) => ({
    op: {
      ...op,
      summary: 'Append to a page; never conflicts',
      on: {
        ...op.on,
        cli: { usage: 'pages append <page_id>', example: "1 --content '- Ask for green'" },
      },
      input: withFields(op, ['page_id', 'content', 'content_type', 'canvas', 'note'], ['content']),
    },
    fixedInput: { mode: 'append' },
  }),
  'pages.archive': (op) => ({
    op: { ...op, on: { ...op.on, cli: { usage: 'pages delete <page_id>', example: '1' } } },
  }),
}

/** The input schema with only some of its fields. */
const withFields = ({ input }: OperationDescription, names: string[], required: string[]) => ({
  ...t.Object(
    Object.fromEntries(
      names.flatMap((name): [string, TSchema][] =>
        input.properties[name] ? [[name, input.properties[name]]] : [],
      ),
    ),
  ),
  required,
})
