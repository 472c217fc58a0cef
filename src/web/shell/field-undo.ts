type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (target: unknown): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** The field that has the focus, and what was typed in it since it got the focus. */
let session:
  | { field: Field; initialValue: string; typedValue: string; lastInputType: string }
  | undefined

function startSession({ target }: Event) {
  session = isField(target)
    ? { field: target, initialValue: target.value, typedValue: target.value, lastInputType: '' }
    : undefined
}

function recordInput(event: Event) {
  if (!session || event.target !== session.field) return
  session.typedValue = session.field.value
  session.lastInputType = (event as InputEvent).inputType
}

/** Whether the field has something of its own to undo or redo. */
function isOwn(type: string, target: EventTarget | null): boolean {
  // The code editor, inside its shadow root, keeps a history of its own.
  if (!isField(target)) return target === document.activeElement
  if (!session || session.field !== target || document.activeElement !== target) return false
  const { field, initialValue, typedValue, lastInputType } = session
  // A value that was set since then, such as the empty field after a comment was sent, was not
  // typed.
  if (!lastInputType || field.value !== typedValue) return false
  if (type === 'historyRedo') return lastInputType.startsWith('history')
  return field.value !== initialValue || lastInputType !== 'historyUndo'
}

/**
 * Limits the browser's undo to what was typed since the field got the focus. Browsers keep one
 * history for all fields of a page, so otherwise Ctrl+Z would restore an earlier text in a field
 * that has been saved and left.
 */
export function guardFields() {
  addEventListener('focusin', startSession, true)
  addEventListener('input', recordInput, true)
  addEventListener(
    'beforeinput',
    (event) => {
      const { inputType, target } = event as InputEvent
      if (/^history/.test(inputType) && !isOwn(inputType, target)) event.preventDefault()
    },
    true,
  )
}
