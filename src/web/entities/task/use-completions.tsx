import type { ReactNode } from 'react'
import { useOperation } from '../../data/cache.ts'
import { showError } from '../../kit/toasts.tsx'
import { createLabel, unusedColor, useMayCreate } from '../board/create.ts'
import { Avatar } from '../user/avatar.tsx'
import type { OpenMark } from './title-marks.ts'
import { forgetReadings } from './understood.ts'

export interface Completion {
  name: string
  mark?: ReactNode
  /** A label that does not exist yet. */
  isNew?: true
  onTake?(): void
}

const NO_COMPLETIONS: readonly Completion[] = []
const MAX_COMPLETIONS = 6

/** The labels or people whose names contain the typed word. */
export function useCompletions(
  project_id: number | undefined,
  mark: OpenMark | undefined,
): readonly Completion[] {
  const input = { project_id: project_id ?? 0, limit: 50 }
  const isFor = (sign: OpenMark['sign']) => ({
    enabled: project_id !== undefined && mark?.sign === sign,
  })
  const { data: labels } = useOperation('labels.list', input, isFor('#'))
  const { data: members } = useOperation('projects.members', input, isFor('@'))
  const mayCreate = useMayCreate(project_id ?? 0)
  if (!mark || project_id === undefined) return NO_COMPLETIONS
  const all: readonly Completion[] =
    mark.sign === '#'
      ? (labels?.items ?? []).map(({ name, color }) => ({
          name: name ?? '',
          mark: <span className="dot" style={{ background: color }} />,
        }))
      : (members?.items ?? []).map((member) => ({
          name: member.name,
          mark: <Avatar actor={member} />,
        }))
  const word = mark.word.toLowerCase()
  const matching = all.filter(({ name }) => name.toLowerCase().includes(word))
  // A complete name needs no completion, so that Enter creates the task.
  const isComplete = all.some(({ name }) => name.toLowerCase() === word)
  if (isComplete) return NO_COMPLETIONS
  const isNew = mayCreate && mark.sign === '#' && labels && word && !/^\d+$/.test(word)
  return [
    ...matching.slice(0, MAX_COMPLETIONS),
    ...(isNew ? [newLabel(project_id, mark.word, unusedColor(labels.items))] : []),
  ]
}

const newLabel = (project_id: number, name: string, color: string): Completion => ({
  name,
  isNew: true,
  onTake: () => void createLabel(project_id, name, color).then(forgetReadings, showError),
})
