import { useState } from 'react'
import {
  cache,
  patchQuery,
  queryKeyOf,
  useOperation,
  useOperationMutation,
} from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { reloadTask, type Task } from '../../entities/task/data.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { Menu } from '../../kit/menu.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { DetailSection } from './detail-section.tsx'
import { FindTask } from './find.tsx'
import type { FoundTask } from './find-popup.tsx'
import { TaskLine } from './task-link.tsx'

type Row = Output<'relations.list'>['items'][number]
type Kind = Row['relation_type']

/** Relation types from the point of view of this task. */
const KINDS: readonly [Kind, string][] = [
  ['BlockedBy', t('task.blocked_by')],
  ['BlockedTo', t('task.blocks')],
  ['RelatedTo', t('task.related_to')],
]

export function Relations({ task, requested }: { task: Task; requested: boolean }) {
  const { task_id } = task
  const list = useOperation('relations.list', listQuery(task_id))
  const rows = list.data?.items ?? []
  const { link, unlink } = useLinks(task)
  if (!rows.length && !requested) return <LoadError of={list} what={t('task.relations')} />
  return (
    <DetailSection
      title={t('task.relations_name')}
      requested={requested}
      end={<AddRelation task={task} rows={rows} onPick={link} />}
    >
      {KINDS.map(([kind, name]) => {
        const matches = rows.filter(({ relation_type }) => relation_type === kind)
        return (
          matches.length > 0 && (
            <div key={kind} className={`kind ${kind}`}>
              <h3>{name}</h3>
              <ul className="others">
                {matches.map((row) => (
                  <TaskLine key={row.relation_id} {...row}>
                    <button type="button" className="button quiet only" onClick={() => unlink(row)}>
                      <Icon
                        name="close"
                        label={t('task.unlink_ticket_number', { ticket_number: row.ticket_number })}
                      />
                    </button>
                  </TaskLine>
                ))}
              </ul>
            </div>
          )
        )
      })}
      <LoadError of={list} what={t('task.relations')} />
      {list.data && !rows.length && (
        <p className="soft">{t('task.add_the_tasks_that_block_this_one')}</p>
      )}
    </DetailSection>
  )
}

/** Adds a relation: first its type, then the other task. */
function AddRelation({
  task,
  rows,
  onPick,
}: {
  task: Task
  rows: readonly Row[]
  onPick(kind: Kind, other: FoundTask): void
}) {
  const [kind, setKind] = useState<Kind>('RelatedTo')
  const name = KINDS.find(([one]) => one === kind)![1]
  return (
    <>
      <Menu
        label={t('task.relation_type')}
        trigger={
          <button type="button" className="button quiet">
            {name}
          </button>
        }
        groups={[KINDS.map(([one, name]) => ({ name, run: () => setKind(one) }))]}
      />
      <FindTask
        label={t('task.name_which_task', { name })}
        excludedIds={[task.task_id, ...rows.map(({ task_id }) => task_id)]}
        onPick={(other) => onPick(kind, other)}
        trigger={
          <button
            type="button"
            className="button quiet only"
            aria-label={t('task.name_add_a_task', { name })}
          >
            <Icon name="plus" />
          </button>
        }
      />
    </>
  )
}

const listQuery = (task_id: number) => ({ task_id, limit: 50 })

function useLinks(task: Task) {
  const { task_id } = task
  const patchRows = (change: (items: Row[]) => Row[]) =>
    patchQuery('relations.list', listQuery(task_id), (rows) => ({
      ...rows,
      items: change(rows.items),
    }))
  const handlers = {
    onDone() {
      void cache.invalidateQueries({ queryKey: queryKeyOf('relations.list', listQuery(task_id)) })
      reloadTask(task_id)
    },
    onFailed: showError,
  }
  const creation = useOperationMutation('relations.create', handlers)
  const deletion = useOperationMutation('relations.delete', {
    ...handlers,
    optimistic: ({ target_task_id, relation_type }) =>
      patchRows((items) =>
        items.filter(
          (one) => one.task_id !== target_task_id || one.relation_type !== relation_type,
        ),
      ),
  })
  const create = (relation_type: Kind, target_task_id: number) =>
    creation.mutate({ source_task_id: task_id, target_task_id, relation_type })
  return {
    link(kind: Kind, other: FoundTask) {
      const { ticket_number, title, project_id, done } = other
      const shown = { ticket_number, title, project_id, done }
      // The response of the server replaces them.
      const unknown = { section: '', section_id: 0, status: 'Normal' as const }
      const placeholder = { relation_id: -Date.now(), created_at: new Date().toISOString() }
      patchRows((items) => [
        ...items,
        { ...shown, ...unknown, ...placeholder, task_id: other.task_id, relation_type: kind },
      ])
      create(kind, other.task_id)
    },
    unlink({ relation_type, task_id: target_task_id, ticket_number }: Row) {
      deletion.mutate({ source_task_id: task_id, target_task_id, relation_type })
      showToast(t('task.unlinked_ticket_number', { ticket_number }), () =>
        create(relation_type, target_task_id),
      )
    },
  }
}
