import { type Static, Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { briefColumns, briefOmits, templateOutputs } from '../../../tasks/fields/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'

/** Per board. */
export const MAX_TEMPLATES = 200
export const MAX_SUBTASKS = 50
/** For the descriptions of all subtasks together, in characters. */
export const MAX_TEXT = 1_048_576

export const TemplateId = Id('Id of a template')

export const TemplateName = t.String({
  minLength: 1,
  maxLength: 200,
  description: 'Default: the title of the task',
})

export const TemplateRow = t.Object(
  {
    template_id: TemplateId,
    project_id: ProjectId,
    name: t.String(),
    title: t.String({ description: 'Title of tasks created from it' }),
    ...templateOutputs,
    labels: t.Array(t.Object({ label_id: Id('Id of a label'), name: t.String() })),
    subtask_count: t.Integer(),
    created_by: Actor,
    created_at: Timestamp,
  },
  {
    columns: [
      'template_id',
      'name',
      'title',
      ...briefColumns.filter((name) => name in templateOutputs),
      'labels.name',
      'subtask_count',
    ],
    omits: {
      project_id: 'the call names it',
      ...briefOmits,
      'labels.label_id': 'label names are unique on the board',
    },
  },
)
export type TemplateRow = Static<typeof TemplateRow>
