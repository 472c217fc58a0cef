import { useEffect, useEffectEvent, useRef } from 'react'
import { basePath } from '../../kit/base-path.ts'
import { Icon } from '../../kit/icon.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import './canvas.css'

interface Props {
  page_id: number
  title: string
  version: number
}

/** Shows a canvas in a sandbox without access to this page or the network. */
export function Canvas({ page_id, title, version }: Props) {
  const root = useRef<HTMLElement>(null)
  const address = `${basePath}/api/v1/pages/${page_id}/canvas`
  const enlarge = () =>
    root.current
      ?.requestFullscreen?.()
      .catch(() => showToast(t('pages.could_not_switch_to_full_screen')))
  return (
    <figure className="canvas" ref={root}>
      {/* Another version is another document; the address alone would be taken for the same. */}
      <iframe
        sandbox="allow-scripts"
        title={t('pages.title_a_canvas', { title })}
        src={`${address}?version=${version}`}
      />
      <figcaption>
        <span className="soft">{t('pages.sandboxed_no_access_to_the_network_or')}</span>
        <button type="button" className="button quiet" onClick={() => void enlarge()}>
          <Icon name="expand" /> {t('pages.full_screen')}
        </button>
        <a className="button quiet" href={address} target="_blank" rel="noopener">
          {t('pages.open_in_a_new_tab')}
        </a>
      </figcaption>
    </figure>
  )
}

const PAUSE_MS = 250

/** Previews an unsaved document by sending it to an empty sandbox page. */
export function CanvasPreview({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  // A sandboxed frame has no origin, so the target is `*`; only this frame receives it.
  const sendHtml = useEffectEvent(() => frame.current?.contentWindow?.postMessage(html, '*'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed document is sent again
  useEffect(() => {
    const timer = setTimeout(sendHtml, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [html])
  return (
    <figure className="canvas">
      <iframe
        ref={frame}
        sandbox="allow-scripts"
        title={title}
        src={`${basePath}/canvas`}
        onLoad={() => sendHtml()}
      />
    </figure>
  )
}
