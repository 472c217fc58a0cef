import { useOperation } from '../../data/cache.ts'
import { choicesOf, TASK_FIELDS } from '../../entities/task/task-fields.tsx'
import { keyOf } from '../../entities/user/actor.ts'
import type { Me } from '../../entities/user/me.ts'
import type { Member } from '../../entities/user/members.ts'
import { duePresets } from '../../kit/date-presets.ts'
import { dueText } from '../../kit/dates.ts'
import type { IconName } from '../../kit/icon.tsx'
import { parseWhen } from '../../kit/parse-when.ts'
import { rankByMatch } from '../../kit/rank.ts'
import { momentOf } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'
import type { PaletteEntry } from '../entries.ts'
import { changeTasks, type TaskChange } from './change-tasks.ts'
import { setAssignee, setBoard, setColumn, setDue, setField, setLabel } from './changes.ts'
import type { Targets } from './targets.ts'

export type StepName = 'assign' | 'priority' | 'due' | 'label' | 'column' | 'board' | 'size'

interface StepCommand {
  name: string
  icon: IconName
  hint?: string
  keywords: string
}

/** The commands that ask for a value in a second step. */
export const STEPS: Record<StepName, StepCommand> = {
  assign: { name: t('shell.assign_to'), icon: 'mine', hint: 'A', keywords: 'person agent owner' },
  priority: { name: t('shell.set_priority'), icon: 'bars', hint: 'P', keywords: 'urgent high low' },
  due: { name: t('shell.set_due_date'), icon: 'calendar', hint: 'D', keywords: 'deadline when' },
  label: { name: t('shell.add_or_remove_a_label'), icon: 'tag', hint: 'L', keywords: 'tag' },
  column: { name: t('shell.move_to_column'), icon: 'arrow', hint: 'S', keywords: 'status state' },
  size: { name: t('shell.set_size'), icon: 'list', hint: 'E', keywords: 'estimate points' },
  board: { name: t('shell.move_to_board'), icon: 'board', keywords: 'project transfer' },
}

/** The keys of these steps; the palette does not offer them a second time. */
export const STEP_HINTS = new Set(Object.values(STEPS).map(({ hint }) => hint))

interface Choice {
  id: string | number
  name: string
  icon?: IconName
  mark?: string
  keywords?: string
  end?: string
  isOn?: boolean
  change: TaskChange
}

/** The values of a step, as entries of the palette. */
export function useStepEntries(
  me: Me,
  step: StepName | undefined,
  targets: Targets | undefined,
  typed: string,
): readonly PaletteEntry[] {
  const lists = useLists(step, targets?.project_id ?? 0)
  if (!step || !targets) return []
  const choices = choicesIn(step, me, targets, lists, typed)
  const matching = step === 'due' ? choices : rankByMatch(typed, choices)
  return matching.map(({ id, change, isOn, end, ...choice }) => ({
    ...choice,
    ...{ id: `${step} ${id}`, end: isOn ? t('shell.is_set') : (end ?? '') },
    icon: choice.mark ? undefined : (choice.icon ?? STEPS[step].icon),
    run: () => void changeTasks(targets.task_ids, change),
  }))
}

/** What the steps offer; only what the current one needs is loaded. */
function useLists(step: StepName | undefined, project_id: number) {
  const of = (name: StepName) => ({ enabled: step === name && project_id > 0 })
  const members = useOperation('projects.members', { project_id, limit: 50 }, of('assign')).data
  const labels = useOperation('labels.list', { project_id, limit: 50 }, of('label')).data
  const sections = useOperation('sections.list', { project_id, limit: 50 }, of('column')).data
  return {
    members: members?.items ?? [],
    labels: labels?.items ?? [],
    sections: sections?.items ?? [],
  }
}

function choicesIn(
  step: StepName,
  me: Me,
  targets: Targets,
  { members, labels, sections }: ReturnType<typeof useLists>,
  typed: string,
): readonly Choice[] {
  const { name } = targets
  if (step === 'assign') return memberChoices(me, targets, members)
  if (step === 'due') return dueChoices(name, typed)
  if (step === 'label')
    return labels.map((label): Choice => {
      const isOn = targets.labels.includes(label.label_id)
      const change = setLabel(name, label, !isOn)
      return { id: label.label_id, name: label.name, isOn, change }
    })
  if (step === 'column')
    return sections.map((section) => ({
      ...{ id: section.section_id, name: section.title, change: setColumn(name, section) },
    }))
  if (step === 'board')
    return me.boards
      .filter(({ project_id }) => project_id !== targets.project_id)
      .map(({ project_id, title, key: mark }) => ({
        ...{ id: project_id, name: title, mark, keywords: mark },
        change: setBoard(name, project_id, title),
      }))
  const field = TASK_FIELDS.find(({ noun }) => noun === step)!
  return choicesOf(field).map((choice) => ({
    ...{ id: choice.value, name: choice.name, change: setField(name, field, choice.value) },
  }))
}

const memberChoices = (me: Me, targets: Targets, members: readonly Member[]) =>
  members
    .toSorted((a, b) => Number(isSelf(me, b)) - Number(isSelf(me, a)))
    .map((member): Choice => {
      const key = keyOf(member)
      const isOn = targets.assignees.includes(key)
      return {
        ...{ id: key, isOn, change: setAssignee(targets.name, member, !isOn) },
        name: isSelf(me, member) ? t('board.name_you', { name: member.name }) : member.name,
        icon: member.kind === 'agent' ? 'agent' : 'mine',
      }
    })

const isSelf = ({ profile }: Me, { user_id }: { user_id?: number | undefined }) =>
  user_id !== undefined && user_id === profile.user_id

/** Without a text the usual dates; otherwise what the text says, such as "fri 14:00". */
function dueChoices(name: string, typed: string): readonly Choice[] {
  const parsed = typed.trim() ? parseWhen(typed) : undefined
  if (parsed) {
    const value = parsed.time ? momentOf(parsed.day, parsed.time) : parsed.day
    const { full } = dueText(value)
    return [{ id: value, name: full, change: setDue(name, value) }]
  }
  const presets = duePresets().map((preset) => ({
    ...{ id: preset.value, name: preset.name, end: preset.hint },
    change: setDue(name, preset.value),
  }))
  const none = { id: 'none', name: t('shell.no_due_date'), change: setDue(name, null) }
  return rankByMatch(typed, [...presets, none])
}
