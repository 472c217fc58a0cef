import {
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { isComposing } from '../../kit/composing.ts'
import type { EditorHandle, EditorOptions } from './editor-types.ts'
import { positionIn, withBreaksOf, withoutReturns } from './line-breaks.ts'
import { useSourceMode } from './source-mode.ts'

interface Props extends EditorOptions {
  text: string
  editor: RefObject<EditorHandle | undefined>
  autoFocus: boolean
  resetKey: number
}

/**
 * A textarea until it gets the focus and the editor has loaded. If loading fails, the textarea
 * stays.
 */
export function CodeField({ text, editor, autoFocus, resetKey, ...options }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const [isRequested, setRequested] = useState(autoFocus)
  const getOptions = useEffectEvent((): EditorOptions => options)
  useEffect(() => {
    editor.current = plainEditor(textarea.current!, (value) => getOptions().onChange(value))
    return () => {
      editor.current?.destroy()
      editor.current = undefined
    }
  }, [editor])
  const isMounted = useLazyEditor(isRequested, (mount) => {
    const field = textarea.current!
    const hasFocus = autoFocus || document.activeElement === field
    const { value, selectionStart, selectionEnd } = field
    const doc = value === withoutReturns(text) ? text : value
    const anchor = positionIn(doc, selectionStart)
    const head = positionIn(doc, selectionEnd)
    // A hidden element cannot be focused.
    host.current!.hidden = false
    editor.current = mount(host.current!, doc, () => getOptions(), { anchor, head })
    if (hasFocus) editor.current.focus()
  })
  const isSource = useSourceMode()
  useEffect(() => editor.current?.showSource(isSource), [editor, isSource])
  const reset = useEffectEvent(() => editor.current?.set(text))
  // `text` must not be a dependency: by the time it changes, more may have been typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key means that the text was replaced
  useEffect(() => reset(), [resetKey])
  return (
    <>
      {!isMounted && (
        <PlainField
          {...{ ...options, text, autoFocus, textarea }}
          onFocus={() => setRequested(true)}
        />
      )}
      <div ref={host} className="code" hidden={!isMounted} />
    </>
  )
}

type Mount = typeof import('./codemirror.ts').mount

/** Loads the editor on request. Returns whether it has replaced the textarea. */
function useLazyEditor(isRequested: boolean, onLoad: (mount: Mount) => void): boolean {
  const [isMounted, setMounted] = useState(false)
  const handleLoad = useEffectEvent(onLoad)
  useEffect(() => {
    if (!isRequested) return
    let isUnmounted = false
    import('./codemirror.ts').then(
      async ({ mount }) => {
        await compositionEnd()
        if (isUnmounted) return
        handleLoad(mount)
        // Without flushSync, one frame would show both the textarea and the editor.
        flushSync(() => setMounted(true))
      },
      () => {},
    )
    return () => {
      isUnmounted = true
    }
  }, [isRequested])
  return isMounted
}

let composition: Promise<void> | undefined
addEventListener('compositionstart', () => {
  composition = new Promise((resolve) =>
    addEventListener('compositionend', () => resolve(), { once: true }),
  )
})

/** Resolves when a running IME composition ends, so that swapping the field does not cut it off. */
const compositionEnd = () => composition

interface PlainProps extends EditorOptions {
  text: string
  autoFocus: boolean
  textarea: RefObject<HTMLTextAreaElement | null>
  onFocus(): void
}

const PlainField = ({ text, autoFocus, textarea, onFocus, ...options }: PlainProps) => (
  <textarea
    ref={textarea}
    dir="auto"
    aria-label={options.label}
    placeholder={options.hint}
    value={text}
    // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to write here
    autoFocus={autoFocus}
    onFocus={onFocus}
    onChange={({ target }) => options.onChange(withBreaksOf(text, target.value))}
    onPaste={(event) => takeFiles(event, event.clipboardData, options)}
    onDrop={(event) => takeFiles(event, event.dataTransfer, options)}
    onKeyDown={(event) => {
      if (isComposing(event)) return event.stopPropagation()
      const hasModifier = event.metaKey || event.ctrlKey
      if (hasModifier && event.key === 'Enter') options.onSend()
      if (hasModifier && event.key === 's') {
        event.preventDefault()
        if (options.hasSaveKey) options.onSend()
      }
      if (event.key === 'Escape') options.onEscape()
      event.stopPropagation()
    }}
  />
)

/** Pasted or dropped files are uploaded; text is left to the browser. */
function takeFiles(event: SyntheticEvent, from: DataTransfer, { onFiles }: EditorOptions) {
  const files = [...from.files]
  if (!files.length) return
  event.preventDefault()
  onFiles(files)
}

/** The textarea behind the same interface as the editor. */
function plainEditor(field: HTMLTextAreaElement, change: (text: string) => void): EditorHandle {
  const replace = (search: string, replacement: string) =>
    change(field.value.replace(search, () => replacement))
  return {
    focus: () => field.focus(),
    destroy() {},
    set() {},
    insert(text) {
      const { value, selectionStart: from, selectionEnd: to } = field
      change(value.slice(0, from) + text + value.slice(to))
    },
    replace,
    showSource() {},
  }
}
