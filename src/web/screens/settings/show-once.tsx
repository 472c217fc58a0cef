import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../messages/t.ts'

interface Props {
  title: string
  /** Renders the secret; calls `onCopied` when it was copied. */
  children(onCopied: () => void): ReactNode
  onClose(): void
}

/** Shows a secret once. Closing without copying it asks for confirmation. */
export function ShowOnce({ title, children, onClose }: Props) {
  const [isCopied, setCopied] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  const close = () => (isCopied || isLeaving ? onClose() : setLeaving(true))
  return (
    <section className="one-time" ref={section} tabIndex={-1} aria-label={title}>
      <h3>{title}</h3>
      <p className="soft">{t('settings.copy_what_you_need_now_it_is')}</p>
      {children(() => {
        setCopied(true)
        setLeaving(false)
      })}
      <footer>
        <p className="uncopied" role="status">
          {isLeaving && t('settings.it_was_not_copied_and_will_not')}
        </p>
        <button type="button" className={`button ${isCopied ? 'main' : 'plain'}`} onClick={close}>
          {isLeaving ? t('settings.close_anyway') : t('common.finish')}
        </button>
      </footer>
    </section>
  )
}
