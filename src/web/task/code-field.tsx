import {
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { isComposing } from '../parts/composing.ts'
import type { Code, Wishes } from './coding.ts'

interface Props extends Wishes {
  text: string
  code: RefObject<Code | undefined>
  autoFocus: boolean
  edition: number
}

/** A plain field until somebody writes and the editor is there; for good where it does not come. */
export function CodeField({ text, code, autoFocus, edition, ...wishes }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [isAsked, setAsked] = useState(autoFocus)
  const now = useEffectEvent((): Wishes => wishes)
  useEffect(() => {
    code.current = plainCode(plain.current!, (words) => now().onChange(words))
    return () => {
      code.current?.destroy()
      code.current = undefined
    }
  }, [code])
  const isThere = useEditor(isAsked, (mount) => {
    const field = plain.current!
    const isIn = autoFocus || document.activeElement === field
    const { value, selectionStart: anchor, selectionEnd: head } = field
    // What is hidden cannot take the focus over from the plain field.
    host.current!.hidden = false
    code.current = mount(host.current!, value, () => now(), { anchor, head })
    if (isIn) code.current.focus()
  })
  const put = useEffectEvent(() => code.current?.set(text))
  // Not whenever `text` changes: by then more may have been typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what says that there is another
  useEffect(() => put(), [edition])
  return (
    <>
      {!isThere && (
        <Plain {...{ ...wishes, text, autoFocus, plain }} onFocus={() => setAsked(true)} />
      )}
      <div ref={host} className="code" hidden={!isThere} />
    </>
  )
}

type Mount = typeof import('./code.ts').mount

/** Fetches the editor once it is asked for; whether it has taken the place of the plain field. */
function useEditor(isAsked: boolean, take: (mount: Mount) => void): boolean {
  const [isThere, setThere] = useState(false)
  const taken = useEffectEvent(take)
  useEffect(() => {
    if (!isAsked) return
    let isGone = false
    import('./code.ts').then(
      async ({ mount }) => {
        await composed()
        if (isGone) return
        taken(mount)
        // In the same frame, or both would be seen in one.
        flushSync(() => setThere(true))
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [isAsked])
  return isThere
}

let composing: Promise<void> | undefined
addEventListener('compositionstart', () => {
  composing = new Promise((go) => addEventListener('compositionend', () => go(), { once: true }))
})

/** A letter that is made of several keys is not cut in two. */
const composed = () => composing

interface PlainProps extends Wishes {
  text: string
  autoFocus: boolean
  plain: RefObject<HTMLTextAreaElement | null>
  onFocus(): void
}

const Plain = ({ text, autoFocus, plain, onFocus, ...wishes }: PlainProps) => (
  <textarea
    ref={plain}
    dir="auto"
    aria-label={wishes.label}
    placeholder={wishes.hint}
    value={text}
    // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to write here
    autoFocus={autoFocus}
    onFocus={onFocus}
    onChange={({ target }) => wishes.onChange(target.value)}
    onPaste={(event) => take(event, event.clipboardData, wishes)}
    onDrop={(event) => take(event, event.dataTransfer, wishes)}
    onKeyDown={(event) => {
      if (isComposing(event)) return event.stopPropagation()
      const hasHold = event.metaKey || event.ctrlKey
      if (hasHold && event.key === 'Enter') wishes.onSend()
      if (hasHold && event.key === 's') {
        event.preventDefault()
        if (wishes.saves) wishes.onSend()
      }
      if (event.key === 'Escape') wishes.onEscape()
      event.stopPropagation()
    }}
  />
)

/** Files are for the task; words the field takes by itself. */
function take(event: SyntheticEvent, from: DataTransfer, { onFiles }: Wishes) {
  const files = [...from.files]
  if (!files.length) return
  event.preventDefault()
  onFiles(files)
}

/** The plain field, for those that speak to the editor. */
function plainCode(field: HTMLTextAreaElement, change: (text: string) => void): Code {
  const replace = (words: string, by: string) => change(field.value.replace(words, () => by))
  return {
    focus: () => field.focus(),
    destroy() {},
    set() {},
    insert(words) {
      const { value, selectionStart: from, selectionEnd: to } = field
      change(value.slice(0, from) + words + value.slice(to))
    },
    replace,
  }
}
