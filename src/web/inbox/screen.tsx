import { Suspense, useCallback } from 'react'
import type { Me } from '../frame/places.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Menu } from '../parts/menu.tsx'
import { part } from '../parts/part.ts'
import { type Step, useNeighbours } from '../task/next.ts'
import { Bulk } from './bulk.tsx'
import { useInbox, useSummary } from './data.ts'
import { archive, archiveRead, turnRead } from './deeds.ts'
import { Empty, Shape } from './empty.tsx'
import './inbox.css'
import { KEPT, useInboxKeys } from './keys.ts'
import { List } from './list.tsx'
import { type Look, useLook } from './look.ts'
import type { Note } from './shapes.ts'
import { BoardPick, Composition, Tabs } from './tabs.tsx'
import { type Triage, useSame, useTriage } from './triage.ts'

const Snooze = part(() => import('./snooze.tsx'))
const NONE: readonly Note[] = []

/** What others did that concerns somebody, to be worked off. */
export default function Inbox({ me }: { me: Me }) {
  const look = useLook()
  const { notes = NONE, list } = useInbox(look.asked)
  const summary = useSummary()
  const triage = useTriage(notes, look)
  const now = useSame(triage)
  useInboxKeys(notes, triage)
  useNeighbours(useStep(notes), KEPT)
  const isEmpty = list.isSuccess && !notes.length && !list.hasNextPage
  return (
    <section className="inbox">
      <header className="head">
        <h1>Inbox</h1>
        <Tabs look={look} summary={summary} />
        <div className="end">
          <BoardPick me={me} look={look} />
          <More look={look} notes={notes} />
        </div>
      </header>
      {look.board !== undefined && <Composition board={look.board} look={look} />}
      {list.isPending && <Shape />}
      <LoadError of={list} what="your inbox" />
      {isEmpty && <Empty look={look} summary={summary} />}
      {notes.length > 0 && !look.isArchive && summary?.inbox_zero && <Left notes={notes} />}
      {list.isSuccess && !isEmpty && (
        <List
          key={JSON.stringify(look.asked)}
          {...{ notes, list, now, triage }}
          me={me.profile.user_id}
          isArchive={look.isArchive}
        />
      )}
      {triage.chosen.size > 0 && <Bulk triage={triage} isArchive={look.isArchive} />}
      <Snoozing triage={triage} />
    </section>
  )
}

/** From an open task to that of the notification below or above it. */
const useStep = (notes: readonly Note[]) =>
  useCallback<Step>(
    (ticket, by) => {
      const keys = [...new Set(notes.map(({ task }) => task.ticket_number))]
      return keys[keys.indexOf(ticket) + by]
    },
    [notes],
  )

function More({ look, notes }: { look: Look; notes: readonly Note[] }) {
  const unread = notes.filter(({ read_at }) => !read_at)
  if (look.isArchive) return null
  return (
    <Menu
      label="About the inbox"
      trigger={
        <button type="button" className="button quiet only">
          <Icon name="dots" label="More about the inbox" />
        </button>
      }
      groups={[
        [
          {
            ...{ name: 'Archive all that are read', icon: 'archive' },
            run: () => void archiveRead(look.asked),
          },
          {
            ...{ name: 'Mark these as read', icon: 'read', disabled: !unread.length },
            run: () => void turnRead(unread, true),
          },
        ],
      ]}
    />
  )
}

/** What is left is about tasks that are done: nobody waits for that. */
const Left = ({ notes }: { notes: readonly Note[] }) => (
  <p className="left">
    <span>
      <b>Inbox Zero.</b> What is left is about tasks that are done.
    </span>
    <button type="button" className="button quiet" onClick={() => void archive(notes)}>
      Archive it
    </button>
  </p>
)

function Snoozing({ triage }: { triage: Triage }) {
  const { snoozing } = triage
  const [note, ...others] = snoozing
  if (!note) return null
  const row = document.querySelector(`[data-note="${note.notification_id}"]`)
  // Several at once have no row of their own.
  const anchor = others.length
    ? document.querySelector('.inbox .bulk')
    : (row?.querySelector('.deeds') ?? row)
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
