import { PreviewCard as Card } from '@base-ui/react/preview-card'
import { useEffect, useId } from 'react'
import type { Me } from '../../entities/user/me.ts'
import { AgentPreview } from './agent-preview.tsx'
import { PagePreview } from './page-preview.tsx'
import { PersonPreview } from './person-preview.tsx'
import type { Subject, Target } from './targets.ts'
import { TaskPreview } from './task-preview.tsx'
import './preview.css'

interface Props {
  me: Me
  target: Target
  close(): void
}

/** The preview beside its element, which it describes to screen readers. */
export default function PreviewCard({ me, target: { element, subject }, close }: Props) {
  const id = useId()
  useEffect(() => {
    element.setAttribute('aria-describedby', id)
    return () => element.removeAttribute('aria-describedby')
  }, [element, id])
  return (
    <Card.Root open onOpenChange={(open) => open || close()}>
      <Card.Portal>
        <Card.Positioner
          className="above"
          anchor={element}
          sideOffset={6}
          collisionPadding={8}
          align="start"
          side={element.closest('aside, nav') ? 'right' : 'bottom'}
        >
          <Card.Popup id={id} className="popup preview" role="status">
            <Content me={me} subject={subject} />
          </Card.Popup>
        </Card.Positioner>
      </Card.Portal>
    </Card.Root>
  )
}

function Content({ me, subject }: { me: Me; subject: Subject }) {
  switch (subject.kind) {
    case 'task':
      return <TaskPreview me={me} ticket={subject.key} />
    case 'page':
      return <PagePreview me={me} page_id={subject.page_id} />
    case 'agent':
      return <AgentPreview agent_id={subject.agent_id} />
    case 'person':
      return <PersonPreview user_id={subject.user_id} />
  }
}
