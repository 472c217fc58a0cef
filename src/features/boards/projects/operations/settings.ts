import { type Static, Type as t } from '@sinclair/typebox'
import { storableHtml } from '../../../../content/storable.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { cleanName } from '../model/names.ts'
import {
  Access,
  AutoArchiveDays,
  Description,
  ProjectId,
  ProjectReceipt,
  ProjectTitle,
  Status,
} from '../model/schema.ts'
import { setProjectStatus, updateProject } from '../model/status.ts'
import { findProject, type Project, placeOf, urlOf } from '../model/store.ts'

export const rename = operation({
  name: 'projects.rename',
  summary: 'Rename a board; its key does not change',
  needs: 'projects:write',
  on: {
    rest: 'POST /api/v1/projects/:project_id/rename',
    mcp: 'svc_projects.rename',
    cli: {
      usage: 'projects rename <project_id> <title>',
      example: "HOM 'Home page, second edition'",
    },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, title: ProjectTitle }),
  output: ProjectReceipt,
  async run({ project_id, title }, ctx) {
    const { project, changed } = await revise(ctx, await findProject(ctx, project_id), { title })
    return receipt(ctx, project, changed)
  },
})

export const update = operation({
  name: 'projects.update',
  summary: 'Change the title or the settings of a board',
  needs: 'projects:write',
  elevatedScope: ({ access }) => (access === undefined ? undefined : 'projects:manage'),
  destroys: ({ access }) => access === 'invited',
  on: {
    rest: 'PATCH /api/v1/projects/:project_id',
    cli: { usage: 'projects update <project_id>', example: 'HOM --auto-archive-days 30' },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    title: t.Optional(ProjectTitle),
    description: t.Optional(Description),
    content_type: t.Optional(
      t.Union([t.Literal('html'), t.Literal('markdown')], {
        description: 'Format of description; detected if omitted; stored as HTML',
      }),
    ),
    access: t.Optional(t.Union(Access.anyOf, { ...Access, needs: 'projects:manage' })),
    auto_archive_days: t.Optional(AutoArchiveDays),
  }),
  output: ProjectReceipt,
  async prepare({ description, content_type }, ask) {
    if (!description?.trim()) return description === undefined ? undefined : null
    return storableHtml(ask, description, content_type, 'description')
  },
  async run({ project_id, title, access, auto_archive_days }, ctx, description) {
    const settings = { title, description, access, auto_archive_days }
    const { project, changed } = await revise(ctx, await findProject(ctx, project_id), settings)
    return receipt(ctx, project, changed)
  },
})

export const archive = operation({
  name: 'projects.archive',
  summary: 'Archive a board, or restore it (status Normal)',
  needs: 'projects:manage',
  destroys: ({ status }) => status !== 'Normal',
  on: {
    rest: 'POST /api/v1/projects/:project_id/archive',
    mcp: 'svc_projects.archive',
    cli: { usage: 'projects archive <project_id>', example: 'HOM' },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    status: t.Optional(t.Union(Status.anyOf, { description: 'Default Archive' })),
  }),
  output: ProjectReceipt,
  async run({ project_id, status = 'Archive' }, ctx) {
    const project = await findProject(ctx, project_id)
    if (status === project.status) return receipt(ctx, project, [])
    return receipt(ctx, await setProjectStatus(ctx, project, status), ['status'])
  },
})

const FIELDS = ['title', 'description', 'access', 'auto_archive_days'] as const
type Field = (typeof FIELDS)[number]
type SettingsInput = { [F in Field]?: Project[F] | undefined }

/** Updates the settings that differ and emits a change for each kind of setting. */
async function revise(ctx: Context, before: Project, { title, ...settings }: SettingsInput) {
  const newTitle = title === undefined ? undefined : cleanName('title', title)
  const requested: SettingsInput = { ...settings, title: newTitle }
  const changed = FIELDS.filter(
    (field) => requested[field] !== undefined && requested[field] !== before[field],
  )
  if (!changed.length) return { project: before, changed }
  const next = Object.fromEntries(changed.map((field) => [field, requested[field]]))
  const project = await updateProject(ctx, before, next)
  emitChanges(ctx, before, project, changed)
  return { project, changed }
}

function emitChanges(
  { emit }: Context,
  before: Project,
  after: Project,
  changed: readonly Field[],
) {
  const place = placeOf(after)
  const { title, access } = after
  if (changed.includes('title')) emit('project.renamed', place, { title, before: before.title })
  if (changed.includes('access')) {
    const accessChange = { before: before.access, after: access }
    emit('project.access_changed', place, { title, changed: { access: accessChange } })
  }
  const rest = changed.filter((field) => field === 'description' || field === 'auto_archive_days')
  if (!rest.length) return
  // A description may be long, so the change does not contain it.
  const days = rest.includes('auto_archive_days')
  emit('project.updated', place, {
    title,
    changed: rest,
    ...(days && {
      before: { auto_archive_days: before.auto_archive_days },
      after: { auto_archive_days: after.auto_archive_days },
    }),
  })
}

const receipt = (
  ctx: Context,
  project: Project,
  changed: string[],
): Static<typeof ProjectReceipt> => ({
  project_id: project.project_id,
  key: project.key,
  title: project.title,
  status: project.status,
  changed,
  url: urlOf(ctx, project),
})
