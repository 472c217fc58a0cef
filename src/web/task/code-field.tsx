import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Code, Wishes } from './coding.ts'

interface Props extends Wishes {
  text: string
  code: RefObject<Code | undefined>
  autoFocus: boolean
  edition: number
}

/** A plain field until the editor is there, and for good where it cannot be loaded. */
export function CodeField({ text, code, autoFocus, edition, ...wishes }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [isThere, setThere] = useState(false)
  const now = useEffectEvent((): Wishes => wishes)
  const start = useEffectEvent(() => ({
    text,
    isIn: autoFocus || document.activeElement === plain.current,
  }))
  useEffect(() => {
    let isGone = false
    code.current = plainCode(plain.current!, (words) => now().onChange(words))
    import('./code.ts').then(
      ({ mount }) => {
        if (isGone) return
        const { text, isIn } = start()
        // What is hidden cannot take the focus over from the plain field.
        host.current!.hidden = false
        code.current = mount(host.current!, text, () => now())
        setThere(true)
        if (isIn) code.current.focus()
      },
      () => {},
    )
    return () => {
      isGone = true
      code.current?.destroy()
      code.current = undefined
    }
  }, [code])
  const put = useEffectEvent(() => code.current?.set(text))
  // Not whenever `text` changes: by then more may have been typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what says that there is another
  useEffect(() => put(), [edition])
  return (
    <>
      {!isThere && <Plain {...{ ...wishes, text, autoFocus, plain }} />}
      <div ref={host} className="code" hidden={!isThere} />
    </>
  )
}

interface PlainProps extends Wishes {
  text: string
  autoFocus: boolean
  plain: RefObject<HTMLTextAreaElement | null>
}

const Plain = ({ text, autoFocus, plain, ...wishes }: PlainProps) => (
  <textarea
    ref={plain}
    aria-label={wishes.label}
    placeholder={wishes.hint}
    value={text}
    // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to write here
    autoFocus={autoFocus}
    onChange={({ target }) => wishes.onChange(target.value)}
    onPaste={(event) => {
      const files = [...event.clipboardData.files]
      if (!files.length) return
      event.preventDefault()
      wishes.onFiles(files)
    }}
    onKeyDown={(event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) wishes.onSend()
      if (event.key === 'Escape') wishes.onEscape()
      event.stopPropagation()
    }}
  />
)

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
