export default function Page({ page_id }: { page_id: string }) {
  return <h1>Page {page_id}</h1>
}
