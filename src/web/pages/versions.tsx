import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { useShortcuts } from '../frame/keys.ts'
import { say } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Compared, Read } from './compared.tsx'
import { type Page, refused, restorePage, useTaskPages } from './data.ts'
import { Head, useTaskOf } from './head.tsx'
import { above } from './nesting.ts'
import { IN_PAGE } from './table.ts'
import { VersionList } from './version-list.tsx'
import './versions.css'

type End = Output<'pages.diff'>['from']

interface Props {
  page: Page
  /** By its number; 0 for the newest. */
  chosen: number
  /** The one that it is compared with; 0 for the one before it. */
  against: number
}

/** The versions of a page: what each changed, how it read, and the way back to it. */
export default function Versions({ page, chosen: asked, against: other }: Props) {
  const { page_id, task_id, ticket_number, project_id, title } = page
  const { data: pages = [] } = useTaskPages(task_id)
  const { task } = useTaskOf(task_id)
  const isThere = (version: number) => version >= 1 && version <= page.version
  const chosen = isThere(asked) ? asked : page.version
  const against = isThere(other) ? other : chosen - 1
  const [from, to] = [Math.min(chosen, against), Math.max(chosen, against)]
  const difference = useAsk('pages.diff', { page_id, from: from || 1, to }, { keep: true })
  const { data } = difference
  const end = data && [data.from, data.to].find((one) => one.version === chosen)
  const [isText, setText] = useState(false)
  const { show, close } = useWays(page_id)
  useShortcuts(IN_PAGE, { edit: no, save: no, versions: close, leave: close })
  const isFixed = task?.status === 'Deleted'
  return (
    <article className="task sheet" tabIndex={-1} aria-label={`Versions of ${title}`}>
      <Head
        task={{ project_id, ticket_number, title: task?.title }}
        path={[...above(pages, page.parent_page_id), ...pages.filter((p) => p.page_id === page_id)]}
      >
        <button type="button" className="button quiet" onClick={close}>
          <Icon name="close" /> <span className="word">Close the versions</span>
        </button>
      </Head>
      <div className="sheet-body">
        <div className="columns versions">
          <div className="text">
            <h1 dir="auto">{end?.title ?? title}</h1>
            <LoadError of={difference} what="this comparison" />
            {end && <Said end={end} isNow={end.version === page.version} />}
            <div className="choices">
              <Choice isText={isText} onText={setText} />
              {!isText && page.version > 1 && (
                <Against {...{ chosen, against }} newest={page.version} onPick={show} />
              )}
              {end && end.version !== page.version && !isFixed && (
                <Restore page={page} end={end} onDone={close} />
              )}
            </div>
            {isText || from < 1 ? (
              <Read {...{ page_id, title }} version={chosen} />
            ) : (
              data && <Compared page_id={page_id} difference={data} />
            )}
          </div>
          <VersionList page_id={page_id} chosen={chosen} onChoose={(one) => show(one)} />
        </div>
      </div>
    </article>
  )
}

const no = () => false as const

function useWays(page_id: number) {
  const [, go] = useLocation()
  const state = history.state
  return {
    show: (version: number, against?: number) =>
      go(`/p/${page_id}?version=${version}${against ? `&against=${against}` : ''}`, {
        ...{ replace: true, state },
      }),
    close: () => go(`/p/${page_id}`, { state }),
  }
}

function Said({ end: { author, created_at, note, version }, isNow }: { end: End; isNow: boolean }) {
  const { short, full } = agoWords(created_at)
  return (
    <p className="about">
      <span>
        Version {version}
        {isNow && ', as it reads now'}
      </span>
      <span>
        {author.name},{' '}
        <time dateTime={created_at} title={full}>
          {short}
        </time>
      </span>
      {note && <q dir="auto">{note}</q>}
    </p>
  )
}

const Choice = ({ isText, onText }: { isText: boolean; onText(isText: boolean): void }) => (
  <fieldset className="either">
    <legend className="unseen">What is shown</legend>
    {(['What changed', 'The text'] as const).map((name, at) => (
      <button
        key={name}
        type="button"
        className="button quiet"
        aria-pressed={isText === (at === 1)}
        onClick={() => onText(at === 1)}
      >
        {name}
      </button>
    ))}
  </fieldset>
)

interface AgainstProps {
  chosen: number
  against: number
  newest: number
  onPick(version: number, against: number): void
}

const Against = ({ chosen, against, newest, onPick }: AgainstProps) => (
  <label className="against">
    Compared with
    <select
      className="field"
      value={against}
      onChange={({ target }) => onPick(chosen, Number(target.value))}
    >
      {against < 1 && <option value={against}>nothing before it</option>}
      {Array.from({ length: newest }, (_, at) => newest - at)
        .filter((one) => one !== chosen)
        .map((one) => (
          <option key={one} value={one}>
            Version {one}
            {one === chosen - 1 ? ', the one before' : one === newest ? ', now' : ''}
          </option>
        ))}
    </select>
  </label>
)

/** Makes a version the newest one again; the one before comes back by an undo. */
function Restore({ page, end, onDone }: { page: Page; end: End; onDone(): void }) {
  const { page_id } = page
  const { data } = useAsk('pages.versions', { page_id, limit: 50 })
  const before = data?.items.find(({ current }) => current)?.version_id
  const restore = () =>
    void restorePage(page, end.version_id).then(() => {
      onDone()
      const undo = () => void restorePage(page, before).catch(refused)
      say(`Brought version ${end.version} back`, before === undefined ? undefined : undo)
    }, refused)
  return (
    <button type="button" className="button main restore" onClick={restore}>
      Bring this version back
    </button>
  )
}
