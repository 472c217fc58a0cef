import { useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect } from 'react'
import { t } from '../messages/t.ts'
import { CopyButton } from './copy-button.tsx'
import { ChunkLoadError } from './lazy-component.ts'
import { showErrorToast } from './toasts.tsx'
import { checkForNewerVersion, useHasNewerVersion } from './version.ts'

interface Props {
  /** When this changes, the content is rendered again. */
  resetKey: string
  /** Called instead of showing the error: the rest of the screen works without this content. */
  onError?(): void
  children: ReactNode
}

/** An error boundary: shows an error in place of the content. Drafts keep what was typed. */
export class ErrorBoundary extends Component<Props, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: Error) {
    if (error instanceof ChunkLoadError) error.reset()
    if (!this.props.onError) return
    if (error instanceof ChunkLoadError) void reportChunkError()
    else
      showErrorToast(
        t('kit.part_of_the_app_crashed_message', { message: error.message }),
        reportOf(error),
      )
    this.props.onError()
  }

  override componentDidUpdate({ resetKey }: Props) {
    if (resetKey !== this.props.resetKey) this.retry()
  }

  private retry() {
    if (this.state.error) this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    if (this.props.onError) return null
    const retry = () => this.retry()
    if (error instanceof ChunkLoadError) return <ChunkErrorScreen onRetry={retry} />
    return (
      <ErrorScreen title={t('kit.something_went_wrong_on_this_screen')} onRetry={retry}>
        <p>{t('kit.this_is_an_error_in_the_app')}</p>
        <details>
          <summary>{t('kit.details')}</summary>
          <pre>{error.message}</pre>
        </details>
        <CopyButton text={reportOf(error)} name={t('kit.copy_details')} />
      </ErrorScreen>
    )
  }
}

const UNREACHABLE_MESSAGE = t('kit.part_of_the_app_could_not_be')
const UPDATED_MESSAGE = t('kit.corkboard_was_updated_reload_the_page_what')

async function reportChunkError() {
  showErrorToast((await checkForNewerVersion()) ? UPDATED_MESSAGE : UNREACHABLE_MESSAGE)
}

function ChunkErrorScreen({ onRetry }: { onRetry(): void }) {
  const isNewer = useHasNewerVersion()
  useEffect(() => void checkForNewerVersion(), [])
  return (
    <ErrorScreen
      title={isNewer ? t('kit.corkboard_was_updated') : t('kit.this_screen_could_not_be_loaded')}
      onRetry={isNewer ? undefined : onRetry}
    >
      <p>
        {isNewer
          ? t('kit.the_server_runs_a_newer_version_of')
          : t('kit.the_server_is_not_responding_what_you')}
      </p>
    </ErrorScreen>
  )
}

interface BrokenProps {
  title: string
  onRetry: (() => void) | undefined
  children: ReactNode
}

function ErrorScreen({ title, onRetry, children }: BrokenProps) {
  const cache = useQueryClient()
  const retry = () => {
    // Cached data may have caused the error.
    cache.removeQueries({ type: 'inactive' })
    onRetry?.()
  }
  return (
    <section className="broken" role="alert">
      <h1>{title}</h1>
      {children}
      <div className="actions">
        {onRetry && (
          <button type="button" className="button main" onClick={retry}>
            {t('kit.retry')}
          </button>
        )}
        <button
          type="button"
          className={`button ${onRetry ? 'plain' : 'main'}`}
          onClick={() => location.reload()}
        >
          {t('kit.reload_page')}
        </button>
      </div>
    </section>
  )
}

/** What helps to find a bug, without anything that people wrote. */
const reportOf = (error: Error) =>
  [
    `${error.name}: ${error.message}`,
    ...[`at ${location.pathname}`, new Date().toISOString(), navigator.userAgent],
    error.stack ?? '',
  ].join('\n')

/** Browsers report this error without any effect. */
const HARMLESS = /ResizeObserver loop/
const reported = new Set<string>()

/** Reports each message once, because a broken handler often fails again and again. */
function reportOnce(error: unknown) {
  const fault = error instanceof Error ? error : new Error(String(error))
  if (HARMLESS.test(fault.message) || reported.has(fault.message)) return
  reported.add(fault.message)
  showErrorToast(t('kit.unexpected_error_message', { message: fault.message }), reportOf(fault))
}

window.addEventListener('error', ({ error, message }) => {
  if (error || message) reportOnce(error ?? message)
})
window.addEventListener('unhandledrejection', ({ reason }) => {
  if (!(reason instanceof DOMException && reason.name === 'AbortError')) reportOnce(reason)
})
