import { useMemo, useState } from 'react'
import { sendWrite } from '../../../data/write-queue.ts'
import { useDraftText } from '../../../entities/editor/draft-text.ts'
import { Html } from '../../../entities/editor/html.tsx'
import { Form } from '../../../kit/form.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { type Board, reloadBoard, runWrite } from './data.ts'
import { toMarkdown } from './markdown.ts'
import { MarkdownField } from './markdown-field.tsx'

interface Props {
  board: Board
  mayWrite: boolean
}

/** The description of a board, with an editor on request. */
export function About({ board, mayWrite }: Props) {
  const { description } = board
  const [isEditing, setEditing] = useState(false)
  const source = useMemo(() => toMarkdown(description ?? ''), [description])
  if (isEditing)
    return (
      <SettingsSection title={t('common.description')}>
        <AboutEditor {...{ board, source: source ?? '' }} onClose={() => setEditing(false)} />
      </SettingsSection>
    )
  return (
    <SettingsSection title={t('common.description')}>
      {description ? (
        <Html html={description} />
      ) : (
        <p className="none">{t('settings.no_description_yet')}</p>
      )}
      {mayWrite && (
        <button type="button" className="button plain" onClick={() => setEditing(true)}>
          <Icon name="pencil" />
          {buttonText(description, source)}
        </button>
      )}
      {mayWrite && source === undefined && (
        <p className="soft">{t('settings.it_contains_a_table_an_image_or')}</p>
      )}
    </SettingsSection>
  )
}

function buttonText(description: string | null, source: string | undefined) {
  if (!description) return t('settings.add_description')
  return source === undefined ? t('settings.replace_description') : t('settings.edit_description')
}

function AboutEditor({
  board,
  source,
  onClose,
}: {
  board: Board
  source: string
  onClose(): void
}) {
  const { project_id } = board
  const { text, resetKey, type, draft } = useDraftText(`board ${project_id}:about`, source)
  const close = () => {
    draft.discard()
    onClose()
  }
  const save = async () => {
    if (text.trim() === source.trim()) return close()
    if (await saveAbout(board, text, source)) close()
  }
  return (
    <Form onSubmit={save}>
      <MarkdownField
        label={t('settings.description_of_the_board')}
        hint={t('settings.who_the_board_is_for_and_what')}
        {...{ text, resetKey, autoFocus: true }}
        onChange={(nextText) => type(nextText)}
        onCancel={close}
        onEscape={() => {
          draft.reload()
          onClose()
        }}
      />
    </Form>
  )
}

/** The rendered text is shown once the server has converted it. */
function saveAbout(
  { project_id }: Board,
  text: string,
  before: string,
  isUndo = false,
): Promise<boolean> {
  return runWrite({
    async send() {
      await sendWrite('projects.update', {
        ...{ project_id, description: text, content_type: 'markdown' },
      })
      reloadBoard(project_id)
    },
    message: isUndo ? undefined : t('settings.saved_the_description'),
    undo: () => saveAbout({ project_id } as Board, before, text, true),
  })
}
