import { and, asc, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import {
  cleanName,
  foldName,
  lockProject,
  type Project,
  placeOf,
  touchProject,
} from '../../projects/model/index.ts'
import { labels } from './tables.ts'

export type Label = typeof labels.$inferSelect
type Board = Pick<Project, 'team_id' | 'project_id'>

const ofBoard = prepared((tx) =>
  tx
    .select()
    .from(labels)
    .where(and(eq(labels.team_id, param('team_id')), eq(labels.project_id, param('project_id'))))
    .orderBy(asc(labels.name), asc(labels.label_id))
    .prepare('labels_of'),
)

export const labelsOf = (tx: Tx, { team_id, project_id }: Board): Promise<Label[]> =>
  ofBoard(tx).execute({ team_id, project_id })

/** Resolves labels of a board by id or name, without duplicates, in the order given. */
export async function findLabels(
  { tx }: Pick<Context, 'tx'>,
  project: Board,
  refs: readonly (number | string)[],
  field = 'labels',
): Promise<Label[]> {
  if (!refs.length) return []
  const known = await labelsOf(tx, project)
  return [...new Set(refs.map((ref) => resolveLabel(known, ref, field)))]
}

function resolveLabel(known: readonly Label[], ref: number | string, field: string): Label {
  const byName = known.find(
    ({ name }) => typeof ref === 'string' && foldName(name) === foldName(ref),
  )
  // An id may arrive as text. A label whose name is that number wins over it.
  const label = byName ?? known.find(({ label_id }) => String(label_id) === String(ref))
  if (label) return label
  const names = known.map(({ name }) => name).slice(0, 20)
  throw fault.invalid(
    field,
    'not_found',
    `This board has no label ${typeof ref === 'string' ? `"${ref.slice(0, 100)}"` : ref}`,
    ref,
    names.length
      ? `It has ${names.join(', ')}; svc_labels create adds one`
      : 'It has none yet; svc_labels create adds one',
  )
}

/** Colors that are readable on light and dark backgrounds. */
const PALETTE = [
  '#d14343',
  '#c2571a',
  '#a16a07',
  '#5d7f11',
  '#2a8244',
  '#0f7f76',
  '#0f7a9c',
  '#2f6fd0',
  '#5a5fd6',
  '#8250c8',
  '#b03fa8',
  '#c43c74',
] as const

function colorFor(name: string): string {
  let hash = 0
  for (const character of foldName(name)) hash = (hash * 31 + character.codePointAt(0)!) % 1_000_003
  return PALETTE[hash % PALETTE.length]!
}

export async function createLabel(
  ctx: Context,
  project: Project,
  draft: { name: string; color?: string },
): Promise<Label> {
  const { team_id, project_id } = project
  await touchProject(ctx.tx, project, ctx.now)
  const name = uniqueName(await labelsOf(ctx.tx, project), draft.name)
  const color = draft.color?.toLowerCase() ?? colorFor(name)
  const [label] = await ctx.tx
    .insert(labels)
    .values({ team_id, project_id, name, color, created_at: ctx.now })
    .returning()
  const { label_id } = label!
  ctx.emit('label.created', placeOf(project), { label_id, name, color })
  return label!
}

/** Normalizes a name, and refuses one that another label of the board has. */
function uniqueName(known: readonly Label[], requested: string, own?: number): string {
  const name = cleanName('name', requested)
  const existing = known.find((label) => foldName(label.name) === foldName(name))
  if (!existing || existing.label_id === own) return name
  throw fault.conflict(
    `This board already has a label "${existing.name}"`,
    { field: 'name', value: name, label_id: existing.label_id },
    'Use that label, or choose another name',
  )
}

/** Finds a label by id among those of its board. */
export function labelById(known: readonly Label[], label_id: number): Label {
  const label = known.find((label) => label.label_id === label_id)
  if (label) return label
  throw fault.notFound(
    'label_id',
    `This board has no label ${label_id}`,
    label_id,
    'List its labels: svc_labels list, or GET /api/v1/projects/{project_id}/labels',
  )
}

const FIELDS = ['name', 'color'] as const

/** Updates the fields that differ. Tasks reference the label, so theirs changes with it. */
export async function updateLabel(
  ctx: Context,
  project: Project,
  label_id: number,
  changes: { name?: string; color?: string },
): Promise<{ label: Label; changed: string[] }> {
  await lockProject(ctx.tx, project)
  const known = await labelsOf(ctx.tx, project)
  const label = labelById(known, label_id)
  const { name = label.name, color = label.color } = changes
  const next = { name: uniqueName(known, name, label_id), color: color.toLowerCase() }
  const changed = FIELDS.filter((field) => next[field] !== label[field])
  if (!changed.length) return { label, changed }
  await touchProject(ctx.tx, project, ctx.now)
  await ctx.tx.update(labels).set(next).where(eq(labels.label_id, label_id))
  const before = { name: label.name, color: label.color }
  ctx.emit('label.updated', placeOf(project), { label_id, ...next, changed, before })
  return { label: { ...label, ...next }, changed }
}
