import { Suspense, useCallback, useMemo, useRef, useState } from 'react'
import {
  fetchDescription,
  TEXT_CHANGED,
  useSaveDescription,
  withBoxTicked,
} from '../../entities/editor/description-text.ts'
import { Html } from '../../entities/editor/html.tsx'
import { leaveField } from '../../entities/editor/leave-field.ts'
import { useSharedDescription } from '../../entities/editor/shared-text/use-shared-description.ts'
import { Unsaved } from '../../entities/editor/unsaved.tsx'
import type { Source } from '../../entities/editor/versioned-edit.ts'
import type { Task } from '../../entities/task/data.ts'
import { useMembers } from '../../entities/user/members.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { DescriptionEditor, PlainDescription } from './description-editor.tsx'

const History = lazyComponent(() => import('./history.tsx'))

/** The description, with an editor on request. */
export function Description({ task }: { task: Task }) {
  const { task_id, description } = task
  const isDeleted = task.status === 'Deleted'
  const [plain, setPlain] = useState<Source>()
  const { draft, session, open, close } = useSharedDescription(
    task,
    () => void fetchDescription(task_id).then(setPlain, showError),
  )
  const members = useMembers(task.project_id)
  const people = useMemo(() => members.map(({ name }) => name), [members])
  const tickBox = useTickBox(task)
  const leave = () => {
    leaveField('.description')
    close()
    setPlain(undefined)
    draft.reload()
  }
  if (plain && !isDeleted)
    return <PlainDescription key={task_id} task={task} base={plain} onClose={leave} />
  if (session && !isDeleted)
    return <DescriptionEditor key={task_id} task={task} session={session} onClose={leave} />
  return (
    <section className="description" aria-label={t('common.description')}>
      {draft.stored?.isOther && (
        <Unsaved at={draft.stored.at} onEdit={open} onDrop={draft.discard} />
      )}
      {description ? (
        <>
          <Html
            html={description}
            format={task.content_type}
            names={people}
            onTick={isDeleted ? undefined : tickBox}
          />
          {!isDeleted && <DescriptionActions task={task} onEdit={open} />}
        </>
      ) : isDeleted ? null : (
        <button type="button" className="start-writing" onClick={open}>
          {t('task.add_a_description_what_needs_to_be')}
        </button>
      )}
    </section>
  )
}

/** Actions on an existing description. */
function DescriptionActions({ task, onEdit }: { task: Task; onEdit(): void }) {
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  return (
    <>
      <button type="button" className="button quiet edit" onClick={onEdit}>
        <Icon name="pencil" /> {t('common.edit')}
      </button>
      {task.description_version > 1 && (
        <button type="button" className="button quiet" onClick={() => setHistoryOpen(true)}>
          {t('task.earlier_versions')}
        </button>
      )}
      {isHistoryOpen && (
        <Suspense>
          <History task={task} onClose={() => setHistoryOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const SAVE_MS = 1000

/**
 * Ticks a checkbox in the rendered text. Ticks are queued, so each starts from the result of the
 * one before.
 */
function useTickBox(task: Task) {
  const { task_id, description } = task
  const save = useSaveDescription(task)
  const queue = useRef(Promise.resolve())
  return useCallback(
    (index: number, checked: boolean, revert: () => void) => {
      const tick = async () => {
        const next = withBoxTicked(
          await fetchDescription(task_id),
          index,
          checked,
          description ?? '',
        )
        if (await save(next.text, next.version, [])) throw new Error(TEXT_CHANGED)
      }
      // The server saves what was typed last a moment after its editor has closed.
      const tickAgain = async (error: Error) => {
        if (error.message !== TEXT_CHANGED) throw error
        await new Promise((resolve) => setTimeout(resolve, SAVE_MS))
        return tick()
      }
      const run = () => tick().catch(tickAgain)
      queue.current = queue.current.then(run).catch((error: Error) => {
        revert()
        showError(error)
      })
    },
    [task_id, description, save],
  )
}
