import { useEffect, useEffectEvent, useRef } from 'react'
import { say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import './canvas.css'

interface Props {
  page_id: number
  title: string
  version: number
}

/** Whatever somebody drew, in a sandbox: it reaches neither this page nor the network. */
export function Canvas({ page_id, title, version }: Props) {
  const root = useRef<HTMLElement>(null)
  const address = `/api/v1/pages/${page_id}/canvas`
  const enlarge = () =>
    root.current
      ?.requestFullscreen?.()
      .catch(() => say('This browser shows nothing on the full screen'))
  return (
    <figure className="canvas" ref={root}>
      {/* Another version is another document; the address alone would be taken for the same. */}
      <iframe
        sandbox="allow-scripts"
        title={`${title}, a canvas`}
        src={`${address}?version=${version}`}
      />
      <figcaption>
        <span className="soft">Shown in a sandbox: it loads nothing and reads nothing.</span>
        <button type="button" className="button quiet" onClick={() => void enlarge()}>
          <Icon name="expand" /> Full screen
        </button>
        <a className="button quiet" href={address} target="_blank" rel="noopener">
          Open in a tab
        </a>
      </figcaption>
    </figure>
  )
}

const PAUSE_MS = 250

/** How a document looks that is not saved: the server's empty sandbox is told it. */
export function Drawn({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  // A sandbox has no origin to send to; only this frame hears it.
  const tell = useEffectEvent(() => frame.current?.contentWindow?.postMessage(html, '*'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again whenever it is another
  useEffect(() => {
    const timer = setTimeout(tell, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [html])
  return (
    <figure className="canvas">
      <iframe
        ref={frame}
        sandbox="allow-scripts"
        title={title}
        src="/canvas"
        onLoad={() => tell()}
      />
    </figure>
  )
}
