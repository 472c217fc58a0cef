import { Suspense, useCallback } from 'react'
import { type Step, useNeighbours } from '../../entities/task/neighbours.ts'
import type { Me } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { Menu } from '../../kit/menu.tsx'
import { rich, t } from '../../messages/t.ts'
import { archive, archiveRead, setRead } from './actions.ts'
import { BulkToolbar } from './bulk.tsx'
import { useInbox, useSummary } from './data.ts'
import { Empty, ListSkeleton } from './empty.tsx'
import './inbox.css'
import { type InboxView, useInboxView } from './inbox-view.ts'
import { LIST_KEYS, useInboxKeys } from './keys.ts'
import { List } from './list.tsx'
import { BoardPick, Composition, Tabs } from './tabs.tsx'
import { type Triage, useStable, useTriage } from './triage.ts'
import type { Note } from './types.ts'

const Snooze = lazyComponent(() => import('./snooze.tsx'))
const NONE: readonly Note[] = []

/** The inbox screen. */
export default function Inbox({ me }: { me: Me }) {
  const view = useInboxView()
  const { notes = NONE, list } = useInbox(view.listQuery)
  const summary = useSummary()
  const triage = useTriage(notes, view)
  const stableTriage = useStable(triage)
  useInboxKeys(notes, triage)
  useNeighbours(useStep(notes), LIST_KEYS)
  const isEmpty = list.isSuccess && !notes.length && !list.hasNextPage
  return (
    <section className="inbox fill">
      <header className="head">
        <h1>{t('common.inbox')}</h1>
        <Tabs view={view} summary={summary} />
        <div className="end">
          <BoardPick me={me} view={view} />
          <InboxMenu view={view} notes={notes} />
        </div>
      </header>
      {view.board !== undefined && <Composition board={view.board} view={view} />}
      {list.isPending && <ListSkeleton />}
      <LoadError of={list} what={t('inbox.your_inbox')} />
      {isEmpty && <Empty view={view} summary={summary} />}
      {notes.length > 0 && !view.isArchive && summary?.inbox_zero && (
        <InboxZeroNotice notes={notes} />
      )}
      {list.isSuccess && !isEmpty && (
        <List
          key={JSON.stringify(view.listQuery)}
          {...{ notes, list, stableTriage, triage }}
          me={me.profile.user_id}
          isArchive={view.isArchive}
        />
      )}
      {triage.selected.size > 0 && <BulkToolbar triage={triage} isArchive={view.isArchive} />}
      <SnoozePicker triage={triage} />
    </section>
  )
}

/** The previous or next task among the notifications. */
const useStep = (notes: readonly Note[]) =>
  useCallback<Step>(
    (ticket, by) => {
      const keys = [...new Set(notes.map(({ task }) => task.ticket_number))]
      return keys[keys.indexOf(ticket) + by]
    },
    [notes],
  )

function InboxMenu({ view, notes }: { view: InboxView; notes: readonly Note[] }) {
  const unreadNotes = notes.filter(({ read_at }) => !read_at)
  if (view.isArchive) return null
  return (
    <Menu
      label={t('inbox.inbox_actions')}
      trigger={
        <button type="button" className="button quiet only">
          <Icon name="dots" label={t('inbox.more_about_the_inbox')} />
        </button>
      }
      groups={[
        [
          {
            ...{ name: t('inbox.archive_all_read'), icon: 'archive' },
            run: () => void archiveRead(view.listQuery),
          },
          {
            ...{ name: t('inbox.mark_these_as_read'), icon: 'read', disabled: !unreadNotes.length },
            run: () => void setRead(unreadNotes, true),
          },
        ],
      ]}
    />
  )
}

/** Shown when only notifications about done tasks are left. */
const InboxZeroNotice = ({ notes }: { notes: readonly Note[] }) => (
  <p className="left">
    <span>
      {rich('inbox.b_the_remaining_notifications_are_about', {
        b: <b>{t('inbox.inbox_zero_sentence')}</b>,
      })}
    </span>
    <button type="button" className="button quiet" onClick={() => void archive(notes)}>
      {t('inbox.archive_them')}
    </button>
  </p>
)

function SnoozePicker({ triage }: { triage: Triage }) {
  const { snoozing } = triage
  const [note, ...others] = snoozing
  if (!note) return null
  const row = document.querySelector(`[data-note="${note.notification_id}"]`)
  // Several notifications have no common row, so the picker opens at the toolbar.
  const anchor = others.length
    ? document.querySelector('.inbox .bulk')
    : (row?.querySelector('.actions') ?? row)
  return (
    <Suspense>
      <Snooze
        anchor={anchor}
        onClose={() => {
          triage.setSnoozing([])
          triage.focus()
        }}
        onPick={(until) => triage.snooze(snoozing, until)}
      />
    </Suspense>
  )
}
