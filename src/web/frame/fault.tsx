import { Component, type ReactNode } from 'react'
import { complain } from './toasts.tsx'

interface Props {
  /** When this changes, what is inside is tried again. */
  place: string
  /** Called instead of showing it here: the rest of the screen is of use without it. */
  onFault?(): void
  children: ReactNode
}

const isUnloaded = ({ message }: Error) => /import|module|load/i.test(message)
const UNLOADED =
  'A part of the app was not fetched: the server is away, or has a newer one. Load the page again'

/** Keeps a fault where it happened, and says what it was. What was typed is kept as drafts. */
export class Guard extends Component<Props, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error) {
    if (!this.props.onFault) return
    complain(isUnloaded(error) ? UNLOADED : `A part of the app broke: ${error.message}`)
    this.props.onFault()
  }

  override componentDidUpdate({ place }: Props) {
    if (place !== this.props.place && this.state.error) this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    if (this.props.onFault) return null
    const unloaded = isUnloaded(error)
    return (
      <section className="broken" role="alert">
        <h1>{unloaded ? 'This could not be loaded' : 'This screen broke'}</h1>
        <p>
          {unloaded
            ? UNLOADED
            : 'A fault of the app, not yours. What you saved is safe, what you typed is kept.'}
        </p>
        <pre>{error.message}</pre>
        <div className="deeds">
          <button type="button" className="button main" onClick={() => location.reload()}>
            Load again
          </button>
          {!unloaded && (
            <button
              type="button"
              className="button plain"
              onClick={() => this.setState({ error: undefined })}
            >
              Try again
            </button>
          )}
        </div>
      </section>
    )
  }
}

/** Faults outside of what is drawn are told too; browsers report this one without any harm. */
const HARMLESS = /ResizeObserver loop/

window.addEventListener('error', ({ message }) => {
  if (message && !HARMLESS.test(message)) complain(`The app met a fault: ${message}`)
})
window.addEventListener('unhandledrejection', ({ reason }) => {
  const isEnd = reason instanceof DOMException && reason.name === 'AbortError'
  if (!isEnd) complain(`The app met a fault: ${reason instanceof Error ? reason.message : reason}`)
})
