import { Component, type ReactNode, useEffect } from 'react'
import { cache } from '../data/cache.ts'
import { lookForNewer, useNewer } from '../data/version.ts'
import { Unfetched } from '../parts/part.ts'
import { Copied } from './copied.tsx'
import { complain } from './toasts.tsx'

interface Props {
  /** When this changes, what is inside is tried again. */
  place: string
  /** Called instead of showing it here: the rest of the screen is of use without it. */
  onFault?(): void
  children: ReactNode
}

/** Keeps a fault where it happened, and says what it was. What was typed is kept as drafts. */
export class Guard extends Component<Props, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: Error) {
    if (error instanceof Unfetched) error.renew()
    if (!this.props.onFault) return
    if (error instanceof Unfetched) void tellUnfetched()
    else complain(`A part of the app broke: ${error.message}`, reportOf(error))
    this.props.onFault()
  }

  override componentDidUpdate({ place }: Props) {
    if (place !== this.props.place) this.again()
  }

  private again() {
    if (this.state.error) this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    if (this.props.onFault) return null
    const again = () => {
      // What it stumbled over may be what it was told.
      cache.removeQueries({ type: 'inactive' })
      this.again()
    }
    if (error instanceof Unfetched) return <NotFetched onAgain={again} />
    return (
      <Broken title="This screen broke" onAgain={again}>
        <p>
          A fault of the app, not yours. What you saved is safe, and what you typed is kept. If it
          stays so, give this to whoever runs the server:
        </p>
        <details>
          <summary>What went wrong</summary>
          <pre>{error.message}</pre>
        </details>
        <Copied text={reportOf(error)} name="Copy a report" />
      </Broken>
    )
  }
}

const AWAY = 'A part of the app was not fetched: the server does not answer'
const NEWER = 'Corkboard was updated. Load the page again: what you typed is kept'

async function tellUnfetched() {
  complain((await lookForNewer()) ? NEWER : AWAY)
}

function NotFetched({ onAgain }: { onAgain(): void }) {
  const isNewer = useNewer()
  useEffect(() => void lookForNewer(), [])
  return (
    <Broken
      title={isNewer ? 'Corkboard was updated' : 'This could not be fetched'}
      onAgain={isNewer ? undefined : onAgain}
    >
      <p>
        {isNewer
          ? 'The server has a newer app than this page. Load it again: what you typed is kept.'
          : 'The server does not answer. What you typed is kept.'}
      </p>
    </Broken>
  )
}

interface BrokenProps {
  title: string
  onAgain: (() => void) | undefined
  children: ReactNode
}

const Broken = ({ title, onAgain, children }: BrokenProps) => (
  <section className="broken" role="alert">
    <h1>{title}</h1>
    {children}
    <div className="deeds">
      {onAgain && (
        <button type="button" className="button main" onClick={onAgain}>
          Retry
        </button>
      )}
      <button
        type="button"
        className={`button ${onAgain ? 'plain' : 'main'}`}
        onClick={() => location.reload()}
      >
        Load the page again
      </button>
    </div>
  </section>
)

/** All that helps to find a fault, and nothing of what people wrote. */
const reportOf = (error: Error) =>
  [
    `${error.name}: ${error.message}`,
    ...[`at ${location.pathname}`, new Date().toISOString(), navigator.userAgent],
    error.stack ?? '',
  ].join('\n')

/** Faults outside of what is drawn are told too; browsers report this one without any harm. */
const HARMLESS = /ResizeObserver loop/
const told = new Set<string>()

/** Once each: what is broken is often broken again and again. */
function tellOnce(error: unknown) {
  const fault = error instanceof Error ? error : new Error(String(error))
  if (HARMLESS.test(fault.message) || told.has(fault.message)) return
  told.add(fault.message)
  complain(`The app met a fault: ${fault.message}`, reportOf(fault))
}

window.addEventListener('error', ({ error, message }) => {
  if (error || message) tellOnce(error ?? message)
})
window.addEventListener('unhandledrejection', ({ reason }) => {
  if (!(reason instanceof DOMException && reason.name === 'AbortError')) tellOnce(reason)
})
