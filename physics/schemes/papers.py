"""The papers that schemes and examples come from, as one cites them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A source.

    Attributes
    ----------
    short : authors and year, as in ``Scheme.short`` and at the beginning of a scenario's ``source``
    title, link : of the paper
    bibtex : its entry
    """

    short: str
    title: str
    link: str
    bibtex: str


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = [f"  {name:<9} = {{{value}}}" for name, value in fields.items()]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"


def _article(short: str, key: str, **fields: str) -> Paper:
    return Paper(short, fields["title"], f"https://doi.org/{fields['doi']}", _entry("article", key, **fields))


def _program(short: str, key: str, **fields: str) -> Paper:
    return Paper(short, fields["title"], fields["url"], _entry("misc", key, **fields))


_ROWS = (
    _article(
        "Leine et al. 2021",
        "leine2021stability",
        author="Leine, Remco I. and Capobianco, Giuseppe and Bartelt, Perry and Christen, Marc and Caviezel, Andrin",
        title="Stability of rigid body motion through an extended intermediate axis theorem: "
        "application to rockfall simulation",
        journal="Multibody System Dynamics",
        volume="52",
        pages="431--455",
        year="2021",
        doi="10.1007/s11044-021-09792-y",
    ),
    _article(
        "Betsch & Siebert 2009",
        "betsch2009rigid",
        author="Betsch, Peter and Siebert, Ralf",
        title="Rigid body dynamics in terms of quaternions: "
        "{H}amiltonian formulation and conserving numerical integration",
        journal="International Journal for Numerical Methods in Engineering",
        volume="79",
        pages="444--473",
        year="2009",
        doi="10.1002/nme.2586",
    ),
    Paper(
        "Gustafsson 2010",
        "Accurate discretizations of torqued rigid body dynamics",
        "",
        _entry(
            "mastersthesis",
            "gustafsson2010accurate",
            author="Gustafsson, Einar",
            title="Accurate discretizations of torqued rigid body dynamics",
            school="Norwegian University of Science and Technology",
            address="Trondheim",
            year="2010",
        ),
    ),
    _article(
        "Celledoni et al. 2008",
        "celledoni2008exact",
        author='Celledoni, Elena and Fass{\\`o}, Francesco and S{\\"a}fstr{\\"o}m, Niklas and Zanna, Antonella',
        title="The exact computation of the free rigid body motion and its use in splitting methods",
        journal="SIAM Journal on Scientific Computing",
        volume="30",
        pages="2084--2112",
        year="2008",
        doi="10.1137/070704393",
    ),
    _article(
        "Simo & Wong 1991",
        "simo1991unconditionally",
        author="Simo, Juan C. and Wong, K. K.",
        title="Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum",
        journal="International Journal for Numerical Methods in Engineering",
        volume="31",
        pages="19--52",
        year="1991",
        doi="10.1002/nme.1620310103",
    ),
    _article(
        "Moser & Veselov 1991",
        "moser1991discrete",
        author='Moser, J{\\"u}rgen and Veselov, Alexander P.',
        title="Discrete versions of some classical integrable systems and factorization of matrix polynomials",
        journal="Communications in Mathematical Physics",
        volume="139",
        pages="217--243",
        year="1991",
        doi="10.1007/BF02352494",
    ),
    _article(
        "Yoshida 1990",
        "yoshida1990construction",
        author="Yoshida, Haruo",
        title="Construction of higher order symplectic integrators",
        journal="Physics Letters A",
        volume="150",
        pages="262--268",
        year="1990",
        doi="10.1016/0375-9601(90)90092-3",
    ),
    _article(
        "Suzuki 1990",
        "suzuki1990fractal",
        author="Suzuki, Masuo",
        title="Fractal decomposition of exponential operators with applications to many-body theories and "
        "{M}onte {C}arlo simulations",
        journal="Physics Letters A",
        volume="146",
        pages="319--323",
        year="1990",
        doi="10.1016/0375-9601(90)90962-N",
    ),
    _article(
        "Suzuki & Umeno 1993",
        "suzuki1993higher",
        author="Suzuki, Masuo and Umeno, Ken",
        title="Higher-order decomposition theory of exponential operators and its applications to {QMC} and nonlinear "
        "dynamics",
        journal="Springer Proceedings in Physics",
        volume="76",
        pages="74--86",
        year="1993",
        doi="10.1007/978-3-642-78448-4_7",
    ),
    _article(
        "McLachlan 1995",
        "mclachlan1995composition",
        author="McLachlan, Robert I.",
        title="Composition methods in the presence of small parameters",
        journal="BIT Numerical Mathematics",
        volume="35",
        pages="258--268",
        year="1995",
        doi="10.1007/BF01737165",
    ),
    _article(
        "Kahan & Li 1997",
        "kahan1997composition",
        author="Kahan, William and Li, Ren-Cang",
        title="Composition constants for raising the orders of unconventional schemes for ordinary differential "
        "equations",
        journal="Mathematics of Computation",
        volume="66",
        pages="1089--1099",
        year="1997",
        doi="10.1090/S0025-5718-97-00873-9",
    ),
    _article(
        "Chin 1997",
        "chin1997symplectic",
        author="Chin, Siu A.",
        title="Symplectic integrators from composite operator factorizations",
        journal="Physics Letters A",
        volume="226",
        pages="344--348",
        year="1997",
        doi="10.1016/S0375-9601(97)00003-0",
    ),
    _article(
        "Omelyan et al. 2002",
        "omelyan2002optimized",
        author="Omelyan, I. P. and Mryglod, I. M. and Folk, R.",
        title="Optimized {F}orest-{R}uth- and {S}uzuki-like algorithms for integration of motion in many-body systems",
        journal="Computer Physics Communications",
        volume="146",
        pages="188--202",
        year="2002",
        doi="10.1016/S0010-4655(02)00451-4",
    ),
    _article(
        "Blanes & Moan 2002",
        "blanes2002practical",
        author="Blanes, Sergio and Moan, Per Christian",
        title='Practical symplectic partitioned {R}unge-{K}utta and {R}unge-{K}utta-{N}ystr{\\"o}m methods',
        journal="Journal of Computational and Applied Mathematics",
        volume="142",
        pages="313--330",
        year="2002",
        doi="10.1016/S0377-0427(01)00492-7",
    ),
    _article(
        "Blanes et al. 2013",
        "blanes2013new",
        author="Blanes, Sergio and Casas, Fernando and Farr{\\'e}s, Ariadna and Laskar, Jacques and "
        "Makazaga, Joseba and Murua, Ander",
        title="New families of symplectic splitting methods for numerical integration in dynamical astronomy",
        journal="Applied Numerical Mathematics",
        volume="68",
        pages="58--72",
        year="2013",
        doi="10.1016/j.apnum.2013.01.003",
    ),
    _program(
        "Bullet 3.2",
        "bullet",
        author="Coumans, Erwin and others",
        title="{Bullet} Physics",
        note="version 3.2, rigid bodies",
        url="https://github.com/bulletphysics/bullet3",
    ),
    _program(
        "MuJoCo 4.0",
        "mujoco4",
        author="{Google DeepMind}",
        title="{MuJoCo}",
        note="version 4.0.0, integrators implicit and Euler",
        url="https://github.com/google-deepmind/mujoco",
    ),
    _program(
        "MuJoCo 3.10",
        "mujoco310",
        author="{Google DeepMind}",
        title="{MuJoCo}",
        note="version 3.10.0, integrators implicitfast and RK4",
        url="https://github.com/google-deepmind/mujoco",
    ),
    _program(
        "Box3D 0.2",
        "box3d",
        author="Catto, Erin",
        title="{Box3D}",
        note="version 0.2",
        url="https://github.com/erincatto/box3d",
    ),
    _program(
        "Jolt 5",
        "jolt",
        author="Rouwe, Jorrit",
        title="{Jolt Physics}",
        note="version 5",
        url="https://github.com/jrouwe/JoltPhysics",
    ),
    _program(
        "PhysX 5",
        "physx",
        author="{NVIDIA}",
        title="{PhysX}",
        note="version 5",
        url="https://github.com/NVIDIA-Omniverse/PhysX",
    ),
    _program(
        "ODE 0.13",
        "ode",
        author="Smith, Russell and others",
        title="{Open Dynamics Engine}",
        note="version 0.13",
        url="https://www.ode.org",
    ),
    _article(
        "del Valle et al. 2024",
        "delvalle2024spiral",
        author="del Valle, Carlos Andr{\\'e}s and Angelidakis, Vasileios and Roy, Sudeshna and Mu{\\~n}oz, "
        "Jos{\\'e} Daniel and P{\\\"o}schel, Thorsten",
        title="{SPIRAL}: An efficient algorithm for the integration of the equation of rotational motion",
        journal="Computer Physics Communications",
        volume="297",
        pages="109077",
        year="2024",
        doi="10.1016/j.cpc.2023.109077",
    ),
    _article(
        "Fincham 1992",
        "fincham1992leapfrog",
        author="Fincham, David",
        title="Leapfrog rotational algorithms",
        journal="Molecular Simulation",
        volume="8",
        pages="165--178",
        year="1992",
        doi="10.1080/08927029208022474",
    ),
    _article(
        "Omelyan 1998",
        "omelyan1998numerical",
        author="Omelyan, Igor P.",
        title="On the numerical integration of motion for rigid polyatomics: The modified quaternion approach",
        journal="Computers in Physics",
        volume="12",
        pages="97",
        year="1998",
        doi="10.1063/1.168642",
    ),
    _article(
        "Buss 2000",
        "buss2000accurate",
        author="Buss, Samuel R.",
        title="Accurate and efficient simulation of rigid-body rotations",
        journal="Journal of Computational Physics",
        year="2000",
        doi="10.1006/jcph.2000.6602",
    ),
)
PAPERS = {paper.short: paper for paper in _ROWS}


def paper_of(source: str) -> Paper | None:
    """The paper that a text like "Leine et al. 2021, section 4.3" begins with, or None."""
    return next((paper for short, paper in PAPERS.items() if source.startswith(short)), None)


def papers_in(text: str) -> list[Paper]:
    """All papers that a text names as they are named here."""
    return [paper for short, paper in PAPERS.items() if short in text]
