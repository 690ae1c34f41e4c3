// Colors of the scene, light and dark. Text colors come from the page's style sheet.

const LIGHT = {
	sky: '#e9edea', floor: '#dfe5e1', table: '#efdfc0', apron: '#c89a63', grid: '#c9ad7c', sun: 2.6, ambient: 1.75, ground: '#c8b79a',
	truth: '#00796b', belief: '#7c3aed', good: '#1f9d55', edge: '#d92d20', lost: '#7b868d', beam: '#0ea5b7',
	person: ['#e07a5f', '#5b8def', '#8a6fc9', '#e0a83c', '#4aa37f'], skin: '#f4cfae', box: '#b9c4c9', cube: '#ffb703',
};
const DARK = {
	sky: '#141d24', floor: '#1a242b', table: '#8a7050', apron: '#5a4630', grid: '#b0946a', sun: 2.3, ambient: 2.2, ground: '#54483a',
	truth: '#4bd6bf', belief: '#b794ff', good: '#46d483', edge: '#ff6b60', lost: '#8b979e', beam: '#4fd8ea',
	person: ['#d97757', '#6f9bf0', '#a58be0', '#d9a53f', '#58b592'], skin: '#e3bd9b', box: '#7d8a92', cube: '#f2ac10',
};

const query = matchMedia('(prefers-color-scheme: dark)');

// isDark follows the page: a data-theme on the root element wins over the system.
export function isDark() {
	const set = document.documentElement.dataset.theme;
	return set ? set === 'dark' : query.matches;
}
export const palette = () => (isDark() ? DARK : LIGHT);

// onTheme calls back when the theme changes and returns what ends that.
export function onTheme(changed) {
	const watch = new MutationObserver(changed);
	watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
	query.addEventListener('change', changed);
	return () => {
		watch.disconnect();
		query.removeEventListener('change', changed);
	};
}
