// Replaces the theme's language switch, which assumes that every page exists in every language and otherwise leads to a 404.
import { useData } from 'vitepress';
import { computed } from 'vue';

export function useLangs({ correspondingLink = false } = {}) {
  const { site, localeIndex, page, theme } = useData();
  const homeOf = (key) => (key === 'root' ? '/' : `/${key}/`);
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: homeOf(localeIndex.value),
  }));
  const localeLinks = computed(() => {
    const others = Object.entries(site.value.locales).filter(([key]) => key !== localeIndex.value);
    const there = correspondingLink ? theme.value.counterparts[page.value.relativePath] : undefined;
    return others.map(([key, { label, lang }]) => ({ text: label, link: linkOf(there) ?? homeOf(key), lang }));
  });
  return { localeLinks, currentLang };
}

/** @param {string | undefined} place of a page */
function linkOf(place) {
  return place && `/${place.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`;
}
