/** A decision as written, with what stands between backticks set as code. */
export function NotedText({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // The parts of a fixed text have no identity but their place.
      <code key={`${index} ${part}`} className="rounded bg-sunken px-1 text-[0.8125rem] wrap-anywhere">
        {part}
      </code>
    ) : (
      part
    ),
  )
}
