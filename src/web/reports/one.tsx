import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useAct, useAsk } from '../data/cache.ts'
import { type Output, Refused, wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { agoWords } from '../parts/dates.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { WayOn } from '../parts/missing.tsx'
import { Shape } from './empty.tsx'
import { boardOf, mayWrite, titleOf } from './own.ts'
import { Write } from './write.tsx'

export type Report = Output<'reports.get'>

/** One saved report, as it is read or written. */
export default function One({ me, id }: { me: Me; id: string }) {
  const [query, setQuery] = useSearchParams()
  const isNew = id === 'new'
  const report_id = Number(id) || 0
  const { data, error, isPending } = useAsk('reports.get', { report_id }, { enabled: !isNew })
  const [, go] = useLocation()
  const project_id = data?.project_id ?? (Number(query.get('board')) || boardOf(me) || 0)
  const edit = (on: boolean) =>
    setQuery((now) => {
      if (on) now.set('edit', '')
      else now.delete('edit')
      return now
    })
  const list = `/reports?of=saved&board=${project_id}`
  const may = mayWrite(me, project_id)
  if (isNew && !may) return <Lost title="You cannot write a report here" words={FOR_MEMBERS} />
  if (isNew) return <Write me={me} project_id={project_id} onClose={() => go(list)} />
  // Whoever is writing goes on, also while the server is away.
  if (data && may && query.has('edit'))
    return <Write me={me} project_id={project_id} report={data} onClose={() => edit(false)} />
  if (error && (!data || isGone(error)))
    return <Lost title="This report cannot be shown" words={wordsOf(error)} error={error} />
  if (isPending || !data) return <Shape />
  return <Read {...{ me, list }} report={data} onEdit={() => edit(true)} />
}

const FOR_MEMBERS = 'Members of the team do, on the boards that they see.'
const isGone = (error: Error) => error instanceof Refused && [403, 404].includes(error.status)

const Lost = ({ title, words, error }: { title: string; words: string; error?: Error }) => (
  <div className="reports lost" role="alert">
    <h1>{title}</h1>
    <p className="soft">{words}</p>
    <WayOn isUnknown={!error || isGone(error)} error={error} />
  </div>
)

interface ReadProps {
  me: Me
  report: Report
  /** Where the others are. */
  list: string
  onEdit(): void
}

function Read({ me, report, list, onEdit }: ReadProps) {
  const { report_id, project_id, title, description, body_html, updated_at } = report
  return (
    <article className="reports report">
      <header className="frontispiece">
        <Link className="button quiet" href={list}>
          <Icon name="back" /> Reports of {titleOf(me, project_id)}
        </Link>
        <Deeds {...{ report, list, onEdit }} may={mayWrite(me, project_id)} />
        <h1 dir="auto">{title}</h1>
        {description && (
          <p className="lead" dir="auto">
            {description}
          </p>
        )}
        <By report={report} />
      </header>
      {body_html ? (
        <iframe
          className="page"
          title={title}
          sandbox=""
          // Another text is another address, so that it is fetched anew.
          src={`/reports/${report_id}/view?at=${encodeURIComponent(updated_at)}`}
        />
      ) : (
        <p className="soft bare">Nothing is written here yet.</p>
      )}
    </article>
  )
}

function By({ report: { created_by, updated_at } }: { report: Report }) {
  const { short, full } = agoWords(updated_at)
  return (
    <p className="by soft">
      <Avatar actor={created_by} />
      <span>
        {created_by.name} · updated{' '}
        <time dateTime={updated_at} title={full}>
          {short}
        </time>
      </span>
    </p>
  )
}

interface DeedsProps extends Omit<ReadProps, 'me'> {
  may: boolean
}

function Deeds({ report, list, may, onEdit }: DeedsProps) {
  const [isAsking, setAsking] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(location.origin + location.pathname).then(
      () => say('Copied the link'),
      () => complain('The link could not be copied'),
    )
  return (
    <span className="deeds">
      <button type="button" className="button quiet" onClick={() => void copy()}>
        <Icon name="link" /> Copy link
      </button>
      {may && (
        <>
          <button type="button" className="button plain" onClick={onEdit}>
            <Icon name="pencil" /> Edit
          </button>
          <Menu
            label="The report"
            trigger={
              <button type="button" className="button quiet only">
                <Icon name="dots" label="More about the report" />
              </button>
            }
            groups={[[{ name: 'Delete…', icon: 'trash', grave: true, run: () => setAsking(true) }]]}
          />
        </>
      )}
      {isAsking && <Ask {...{ report, list }} onClose={() => setAsking(false)} />}
    </span>
  )
}

interface AskProps {
  report: Report
  list: string
  onClose(): void
}

/** Nothing brings a report back. */
function Ask({ report: { report_id, title }, list, onClose }: AskProps) {
  const [, go] = useLocation()
  const { act, busy } = useAct('reports.delete', {
    done() {
      say(`Deleted ${title}`)
      go(list, { replace: true })
    },
    failed: (error) => complain(wordsOf(error)),
  })
  return (
    <Dialog open title="Delete the report" onClose={onClose}>
      <div className="ask">
        <p>
          <strong dir="auto">{title}</strong> is lost for everybody, and links to it lead nowhere.
          This cannot be undone.
        </p>
        <button
          type="button"
          className="button main"
          disabled={busy}
          onClick={() => act({ report_id })}
        >
          Delete
        </button>
      </div>
    </Dialog>
  )
}
