import {
  actor,
  boardRowLines,
  cleanField,
  codecOf,
  type Field,
  format,
  from,
  InvalidRecord,
  labelNames,
  listOf,
  moment,
  nullable,
  orNull,
  plain,
  portableRows,
  ShortText,
  strict,
  Text,
} from '../../../../store/portability/index.ts'
import type { CleanString } from '../../../tasks/descriptions/model/index.ts'
import { pickFields, pickValues, transferFields } from '../../../tasks/fields/model/index.ts'
import { type Pattern, taskTemplates } from './tables.ts'

/** `clean` has cleaned the texts of a record before it is read. */
const description: Field<ReturnType<typeof nullable<typeof Text>>, CleanString | null> = {
  ...plain(nullable(Text)),
  read: (text) => text as CleanString | null,
}

/** The parts of a task that a template copies into every task created from it. */
const pattern = {
  title: plain(ShortText),
  description,
  content_type: format,
  ...pickFields('template', transferFields),
  labels: from('label_ids', labelNames),
}
const codec = codecOf(pattern)
const Subtask = strict(codec.properties)

const subtask: Field<typeof Subtask, Pattern> = {
  type: Subtask,
  write: (stored, names) =>
    codec.write({ ...stored, ...pickValues('template', stored) }, names) as never,
  read: (record, ids) => codec.read(record as never, ids),
}

export const templateLines = boardRowLines({
  kind: 'template',
  what: 'a template',
  orderBy: [taskTemplates.created_at, taskTemplates.template_id],
  rows: portableRows(
    taskTemplates,
    {
      name: plain(ShortText),
      ...pattern,
      /** Null if the template was saved without subtasks. */
      subtasks: orNull(listOf(subtask, 1000)),
      created_by: actor,
      created_at: moment,
    },
    { template_id: 'generated', subtask_count: 'the length of the field subtasks' },
  ),
  more: ({ subtasks }) => ({ subtask_count: subtasks?.length ?? 0 }),
  clean: (record, clean) => ({
    ...cleanField(record, 'description', clean),
    subtasks: record.subtasks?.map((one) => cleanField(one, 'description', clean)) ?? null,
  }),
  check({ board: key, labels, subtasks }, file) {
    const board = file.board('a template', key)
    for (const name of [labels, ...(subtasks ?? []).map((one) => one.labels)].flat())
      if (!board.labels.has(name.toLowerCase()))
        throw new InvalidRecord(`a template has the label ${name}, which ${key} does not have`)
  },
})
