import { Suspense } from 'react'
import { Link, useRoute } from 'wouter'
import type { Me } from '../frame/places.ts'
import { part } from '../parts/part.ts'
import { Flow } from './flow.tsx'
import { KINDS, type Kind, type Look, useLook } from './look.ts'
import './reports.css'
import { Saved } from './saved.tsx'
import { Time } from './time.tsx'

const One = part(() => import('./one.tsx'))

/** What was worked, how it flows, and what was written about it. */
export default function Reports({ me }: { me: Me }) {
  const look = useLook()
  const [, params] = useRoute('/reports/:id')
  if (params?.id)
    return (
      <Suspense>
        <One key={params.id} me={me} id={params.id} />
      </Suspense>
    )
  const { kind } = look
  return (
    <section className="reports">
      <header className="head">
        <h1>Reports</h1>
        <nav className="kinds" aria-label="Kinds of reports">
          {Object.entries(KINDS).map(([of, name]) => (
            <Link
              key={of}
              href={pathOf(of as Kind, look)}
              aria-current={of === kind ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      </header>
      <div className="report-body">
        {kind === 'time' && <Time me={me} look={look} />}
        {kind === 'flow' && <Flow me={me} look={look} />}
        {kind === 'saved' && <Saved me={me} look={look} />}
      </div>
    </section>
  )
}

/** The board stays the same. */
function pathOf(of: Kind, { query }: Look) {
  const board = query.get('board')
  return `/reports?of=${of}${board ? `&board=${board}` : ''}`
}
