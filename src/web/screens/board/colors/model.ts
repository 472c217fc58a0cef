import type { Card, Column, Label, Section } from '../../../entities/board/data.ts'
import { columnColor } from '../../../entities/board/role-icon.tsx'
import { PRIORITIES } from '../../../entities/task/priority.tsx'
import type { Actor, ActorKey } from '../../../entities/user/actor.ts'
import { actorColor } from '../../../entities/user/avatar.tsx'

/** What the color of a bar stands for. */
export const COLOR_KINDS = ['column', 'label', 'assignee', 'priority'] as const
export type ColorKind = (typeof COLOR_KINDS)[number]

export interface TaskColor {
  name: string
  color: string
}

export interface ColorSource {
  sections: readonly Section[]
  labels: ReadonlyMap<number, Label>
  actors: ReadonlyMap<ActorKey, Actor>
}

/** The style of a colored task. */
export const markStyle = (color: TaskColor | undefined): object =>
  color ? { '--mark': color.color } : {}

/** By number; tasks without a priority have no color. */
const PRIORITY_COLORS = ['', '#d14343', '#c2571a', '#2f6fd0', '#0f7f76']

/** The color of a task and what it means; undefined if the task has no such value. */
export function taskColor(
  kind: ColorKind,
  { section_id, labels: labelIds = [], assignees = [], priority }: Card,
  { sections, labels, actors }: ColorSource,
): TaskColor | undefined {
  if (kind === 'column') {
    const section = sections.find((one) => one.section_id === section_id)
    return section && { name: section.title, color: columnColor(section) }
  }
  if (kind === 'label') {
    const [label] = labelIds.flatMap((id) => labels.get(id) ?? [])
    return label && { name: label.name, color: label.color }
  }
  if (kind === 'assignee') {
    const [actor] = assignees.flatMap((key) => actors.get(key) ?? [])
    return actor && { name: actor.name, color: actorColor(actor) }
  }
  return priority ? { name: PRIORITIES[priority]!, color: PRIORITY_COLORS[priority]! } : undefined
}

/** The colors in use: columns and priorities in their order, others by frequency. */
export function legendOf(
  kind: ColorKind,
  columns: readonly Pick<Column, 'cards'>[],
  source: ColorSource,
): TaskColor[] {
  const used = new Map<string, { entry: TaskColor; count: number }>()
  for (const { cards } of columns)
    for (const card of cards) {
      const entry = taskColor(kind, card, source)
      if (!entry) continue
      const key = `${entry.color} ${entry.name}`
      used.set(key, { entry, count: (used.get(key)?.count ?? 0) + 1 })
    }
  const entries = [...used.values()]
  const rankOf = (name: string) => (PRIORITIES as readonly string[]).indexOf(name)
  if (kind === 'priority') entries.sort((a, b) => rankOf(a.entry.name) - rankOf(b.entry.name))
  else if (kind !== 'column') entries.sort((a, b) => b.count - a.count)
  return entries.map(({ entry }) => entry)
}
