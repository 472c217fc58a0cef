import { useMemo, useState } from 'react'
import { send } from '../../data/waiting.ts'
import { Icon } from '../../parts/icon.tsx'
import { Html } from '../../task/html.tsx'
import { useTyped } from '../../task/typed.ts'
import { type Board, patchBoard, readBoard, turn } from './data.ts'
import { asMarkdown } from './markdown.ts'
import { Part } from './parts.tsx'
import { Words } from './words.tsx'

interface Props {
  board: Board
  mayWrite: boolean
}

/** What a board is for, as it is read and, once somebody asks for that, as it is written. */
export function About({ board, mayWrite }: Props) {
  const { description } = board
  const [writing, setWriting] = useState(false)
  const source = useMemo(() => asMarkdown(description ?? ''), [description])
  if (writing)
    return (
      <Part title="What it is for">
        <Writing {...{ board, source: source ?? '' }} onClose={() => setWriting(false)} />
      </Part>
    )
  return (
    <Part title="What it is for">
      {description ? <Html html={description} /> : <p className="none">Nobody has said so yet.</p>}
      {mayWrite && (
        <button type="button" className="button plain" onClick={() => setWriting(true)}>
          <Icon name="pencil" />
          {wordsFor(description, source)}
        </button>
      )}
      {mayWrite && source === undefined && (
        <p className="soft">
          It has a table, a picture or code, which are only changed by the API.
        </p>
      )}
    </Part>
  )
}

function wordsFor(description: string | null, source: string | undefined) {
  if (!description) return 'Say what it is for'
  return source === undefined ? 'Write it anew' : 'Change it'
}

function Writing({ board, source, onClose }: { board: Board; source: string; onClose(): void }) {
  const { project_id } = board
  const { text, edition, type, draft } = useTyped(`board ${project_id}:about`, source)
  const close = () => {
    draft.drop()
    onClose()
  }
  const save = async () => {
    if (text.trim() === source.trim()) return close()
    if (await put(board, text, source)) close()
  }
  return (
    <Words
      label="What the board is for"
      hint="Who it is for, and what comes of it. Markdown."
      {...{ text, edition, autoFocus: true }}
      onChange={(words) => type(words)}
      onSend={() => void save()}
      onCancel={close}
      onEscape={() => {
        draft.look()
        onClose()
      }}
    />
  )
}

/** As HTML it is shown once the server has made that of it. */
function put(
  { project_id }: Board,
  text: string,
  before: string,
  isUndo = false,
): Promise<boolean> {
  const made = send('projects.update', {
    ...{ project_id, description: text, content_type: 'markdown' },
  })
  return turn({
    made: made.then(() => readBoard(project_id)),
    back: patchBoard(project_id, {}),
    words: isUndo ? undefined : 'Saved what the board is for',
    undo: () => put({ project_id } as Board, before, text, true),
  })
}
