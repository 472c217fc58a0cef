import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import type { Task } from '../../entities/task/data.ts'
import { changeText, type TaskField } from '../../entities/task/task-fields.tsx'
import { keyOf } from '../../entities/user/actor.ts'
import type { Member } from '../../entities/user/members.ts'
import { dueText } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'
import { type TaskChange, writeFields } from './change-tasks.ts'

type Label = Output<'labels.list'>['items'][number]
type Section = Output<'sections.list'>['items'][number]

export function setField(name: string, field: TaskField, value: number): TaskChange {
  const { name: key } = field
  return {
    message: changeText(field, value, name),
    patch: () => ({ [key]: value }),
    write: (ids) => writeFields(ids, { [key]: value }),
    undo: (task) => writeFields([task.task_id], { [key]: task[key] }),
  }
}

export const setDue = (name: string, due_date: string | null): TaskChange => ({
  message: due_date
    ? t('board.name_due_when', { name, when: dueText(due_date).short.toLowerCase() })
    : t('board.removed_due_date_from_name', { name }),
  patch: () => ({ due_date }),
  write: (ids) => writeFields(ids, { due_date }),
  undo: ({ task_id, due_date: before }) => writeFields([task_id], { due_date: before }),
})

export function setLabel(name: string, label: Label, on: boolean): TaskChange {
  const { label_id } = label
  const fields = (isOn: boolean) =>
    isOn ? { add_labels: [label_id] } : { remove_labels: [label_id] }
  const has = ({ labels }: Task) => labels.some((one) => one.label_id === label_id)
  return {
    message: on
      ? t('board.added_name_to_name2', { name: label.name, name2: name })
      : t('board.removed_name_from_name2', { name: label.name, name2: name }),
    patch: ({ labels }) => {
      const others = labels.filter((one) => one.label_id !== label_id)
      return { labels: on ? [...others, label] : others }
    },
    write: (ids) => writeFields(ids, fields(on)),
    undo: (task) => writeFields([task.task_id], fields(has(task))),
  }
}

export function setAssignee(name: string, member: Member, on: boolean): TaskChange {
  const key = keyOf(member)
  const assignee = typeof key === 'string' ? { agent_id: key } : { user_id: key }
  const set = (task_id: number, isOn: boolean) =>
    sendWrite('tasks.assign', { task_id, ...assignee, intent: isOn ? 'assign' : 'unassign' })
  const isAssigned = ({ assignees }: Task) => assignees.some((one) => keyOf(one) === key)
  return {
    message: on
      ? t('board.assigned_name_to_name2', { name, name2: member.name })
      : t('board.unassigned_name_from_name2', { name: member.name, name2: name }),
    patch: ({ assignees }) => {
      const others = assignees.filter((one) => keyOf(one) !== key)
      return { assignees: on ? [...others, member] : others }
    },
    async write(ids) {
      for (const task_id of ids) await set(task_id, on)
    },
    undo: (task) =>
      isAssigned(task) === on ? Promise.resolve() : set(task.task_id, isAssigned(task)),
  }
}

export const setColumn = (name: string, { section_id, title }: Section): TaskChange => ({
  message: t('shell.moved_name_to_title', { name, title }),
  patch: () => ({ section_id }),
  write: (ids) => writeFields(ids, { section_id }),
  undo: ({ task_id, section_id: before }) => writeFields([task_id], { section_id: before }),
})

/** The keys of the tasks change, but the old ones keep working. */
export const setBoard = (name: string, project_id: number, title: string): TaskChange => ({
  message: t('shell.moved_name_to_title', { name, title }),
  patch: () => ({}),
  write: (ids) => writeFields(ids, { project_id }),
  undo: ({ task_id, project_id: before, section_id }) =>
    writeFields([task_id], { project_id: before, section_id }),
})
